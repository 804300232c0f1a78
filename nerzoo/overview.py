"""All commands of nerzoo, for `nerzoo --help`, which is there at once: it imports none of them."""

from nerzoo.errors import TRAINING, is_installed

_GROUPS = {
    "Data": {
        "describe": "Describe an annotated corpus.",
        "init": "Write a configuration that fits a corpus.",
        "convert": "Convert a corpus to another format.",
        "convert-threads": "Convert threads with reply links to JSON Lines.",
        "train-parser": "Train a tagger and parser for raw text.",
        "select": "Select sentences to annotate.",
    },
    "Train": {
        "train": "Train a model.",
        "config": "Find, read, compare and copy configurations.",
        "cross-validate": "Cross-validate a model.",
        "cross-predict": "Cross-predict training data.",
        "curve": "Draw a metric over a parameter.",
        "tune": "Find good values for options.",
        "distill": "Train a model on labels of others.",
        "zoo": "List the trained models, or train one.",
    },
    "Use": {
        "tag": "Tag files of any size and format.",
        "predict": "Write the predictions of a model.",
        "serve": "Serve a model over HTTP.",
        "draw": "Draw entities, attention and links.",
        "export-onnx": "Export a tagger as ONNX.",
        "export-vectors": "Export a model's word vectors.",
        "package": "Make a model a Python package.",
        "publish": "Publish a trained model.",
    },
    "Compare": {
        "evaluate": "Evaluate a model on annotated data.",
        "report": "Report on predictions.",
        "compare": "Compare two systems' predictions.",
        "bench": "Compare systems on a corpus.",
        "calibrate": "Calibrate a model's probabilities.",
        "tune-thresholds": "Tune the thresholds of a fofe_ner.",
        "find-label-errors": "Find errors of annotation.",
    },
}
LINES = {name: line for commands in _GROUPS.values() for name, line in commands.items()}
"""The line about each command, by its name."""
USAGE = "nerzoo [--version] [--help] COMMAND ..."
_HEAD = f"""usage: {USAGE}

Finds named entities in text, and trains models for them. To tag a text with the English model:

  nerzoo tag --text 'Mara Holt moved to Lisbon.'

nerzoo COMMAND --help describes a command."""
_ALLENNLP = """More, of AllenNLP:
  build-vocab, cached-path, checklist, count-instances, diff, find-lr, print-results, push-to-hf, test-install"""


def overview() -> str:
    """Returns what nerzoo does, and its commands in groups."""
    groups = [
        "\n".join([f"{title}:", *(f"  {name:<19}{line}" for name, line in commands.items())])
        for title, commands in _GROUPS.items()
    ]
    parts = [_HEAD, *groups, _ALLENNLP]
    if not is_installed("allennlp"):
        parts.append(f"All but tag and zoo need PyTorch and AllenNLP:\n  {TRAINING}")
    return "\n\n".join(parts)
