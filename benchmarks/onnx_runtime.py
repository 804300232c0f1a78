"""
An exported tagger beside the archive that it was exported from: differences of their predictions for all sentences of
GUM and Wikigold, of GUM alone if it reads trees, of GUM and LitBank's test part if it finds nested entities, or of a
file, or documents, if it reads these; their speed; and the processor time of a new process up to its first prediction.

    python -m benchmarks.onnx_runtime ARCHIVE [--columns FILE] [--bits 32] [--repeats 3]
"""

import json
import statistics
import tempfile
from functools import partial
from pathlib import Path
from typing import Any, Callable, Dict, List

import torch

from benchmarks.measuring import processor_time, run
from experiments.common import argument_parser, corpus
from nerzoo.formats.columns import ColumnsCorpus
from nerzoo.formats.conllu import ConlluCorpus
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.jsonl import JsonlCorpus
from nerzoo.inference.export_onnx import export_onnx
from nerzoo.inference.tagger import Tagger
from nerzoo.runtime.onnx_tagger import OnnxTagger
from nerzoo.runtime.spans import SpanDecoding

SENTENCE = {
    "words": ["Mara", "lived", "in", "New", "York", "."],
    "pos": ["PROPN", "VERB", "ADP", "PROPN", "PROPN", "PUNCT"],
    "heads": [2, 0, 4, 2, 4, 2],
    "dep_labels": ["nsubj", "root", "case", "obl", "flat", "punct"],
}
LOADS = {
    "Tagger": "import nerzoo; print(nerzoo.Tagger.load({!r}, 'cpu', engine='torch')({!r}))",
    "OnnxTagger": "from nerzoo.runtime import OnnxTagger; print(OnnxTagger.load({!r}, num_threads=1)({!r}))",
}
CORPORA: Dict[str, Any] = {
    "gum": (ConlluCorpus(), [f"gum/{part}.conllu.gz" for part in ("train", "dev", "test")]),
    "litbank": (JsonlCorpus(), ["litbank/test.jsonl.gz"]),
    "wikigold": (ColumnsCorpus(coding_scheme="IOB1"), ["wikigold/wikigold.conll.txt"]),
}


def items(reader: Corpus, names: List[str], tagger: OnnxTagger) -> List[Dict[str, Any]]:
    read = ["words", *tagger.annotations]
    documents = [
        {"sentences": [{name: getattr(sentence, name) for name in read} for sentence in document.sentences]}
        for name in names
        for document in reader.read(corpus(name))
    ]
    return documents if tagger.reads_documents else sentences(documents)


def sentences(predictions: List[Dict[str, Any]]) -> List[Dict[str, Any]]:
    return [sentence for prediction in predictions for sentence in prediction.get("sentences", [prediction])]


def compare(expected: List[Dict[str, Any]], found: List[Dict[str, Any]]) -> str:
    """The number of sentences with other tags or entities, and the largest difference of probabilities in others."""
    pairs = list(zip(sentences(expected), sentences(found), strict=True))
    same = [pair for pair in pairs if labelled(pair[0]) == labelled(pair[1])]
    entities = [both for pair in same for both in zip(*(part.get("entities", []) for part in pair), strict=True)]
    difference = max((abs(a["probability"] - b["probability"]) for a, b in entities), default=0.0)
    others = f"{len(pairs) - len(same)} with other predictions"
    return f"{others}; {len(entities)} entities in the rest, probabilities within {difference:.1e}"


def labelled(prediction: Dict[str, Any]) -> Any:
    entities = [{**entity, "probability": 0} for entity in prediction.get("entities", [])]
    return prediction.get("tags"), entities


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("archive")
    parser.add_argument("--columns", help="a file of columns below DATA, in place of GUM and Wikigold")
    parser.add_argument("--bits", type=int, default=32)
    parser.add_argument("--repeats", type=int, default=3)
    args = parser.parse_args()
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as temporary:
        folder = export_onnx(args.archive, Path(temporary) / "onnx", args.bits)
        megabytes = sum(file.stat().st_size for file in folder.iterdir()) / 1e6
        vocabularies = [len(json.loads(file.read_bytes())) for file in folder.glob("*.vocabulary.json")]
        print(f"{folder.name}: {megabytes:.1f} MB, {max(vocabularies, default=0)} words")
        models = {"Tagger": args.archive, "OnnxTagger": str(folder)}
        for name, model in models.items():
            costs = [run("-c", LOADS[name].format(model, SENTENCE)).processor for _ in range(args.repeats)]
            print(f"  {name:<12} first prediction of a process: {statistics.median(costs):.2f} s, user and system")
        tagger, exported = Tagger.load(args.archive, "cpu", engine="torch"), OnnxTagger.load(folder, num_threads=1)
        calls: Dict[str, Callable[[List[Dict[str, Any]]], List[Dict[str, Any]]]] = {
            "Tagger": lambda given: list(tagger(given)),
            "OnnxTagger": lambda given: list(exported.predict(given)),
        }
        names = ["gum"]
        if not exported.annotations:
            names.append("litbank" if isinstance(exported.decoding, SpanDecoding) else "wikigold")
        corpora = {name: CORPORA[name] for name in names}
        if args.columns:
            corpora = {args.columns: (ColumnsCorpus(), [args.columns])}
        for name, (reader, names) in corpora.items():
            given = items(reader, names, exported)
            lengths = [len(sentence["words"]) for sentence in sentences(given)]
            num_words = sum(lengths)
            expected, found = (call(given) for call in calls.values())
            print(f"{name}: {len(lengths)} sentences of {num_words} words, {compare(expected, found)}")
            times: Dict[str, List[float]] = {name: [] for name in calls}
            for _ in range(args.repeats):
                for system, call in calls.items():
                    times[system].append(processor_time(partial(call, given)))
            for system in calls:
                ratio = statistics.median(a / b for a, b in zip(times["Tagger"], times[system], strict=True))
                print(
                    f"  {system:<12} {num_words / statistics.median(times[system]):9.0f} words/s {ratio:6.2f} x Tagger"
                )
        one = {"Tagger": lambda: tagger(SENTENCE), "OnnxTagger": lambda: exported(SENTENCE)}
        for name, call in one.items():
            milliseconds = 1e3 * statistics.median(processor_time(call) for _ in range(100))
            print(f"  {name:<12} one sentence in {milliseconds:.2f} ms")


if __name__ == "__main__":
    main()
