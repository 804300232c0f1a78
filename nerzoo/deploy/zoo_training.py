"""Training of the models of the zoo: from the corpora to a folder with a card."""

import json
import operator
import os
import time
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

import numpy
import torch
from allennlp.commands.evaluate import evaluate_from_archive
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from nerzoo.configuration import sources
from nerzoo.configuration.check import read_configuration
from nerzoo.deploy.publish import publish
from nerzoo.evaluation.calibrate import calibrate
from nerzoo.evaluation.significance import score_interval
from nerzoo.evaluation.thresholds import tune_thresholds
from nerzoo.files import write_json, write_text
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.jsonl import Prediction, predictions_from_json
from nerzoo.formats.lines import AnyPath
from nerzoo.inference.export_onnx import export_onnx
from nerzoo.reports.systems import Measure, entity_reliability, scheme_counts, scores
from nerzoo.runtime.onnx_tagger import OnnxTagger
from nerzoo.text.annotation import Document, Sentence
from nerzoo.training.train_model import train_model
from nerzoo.version import __version__
from nerzoo.zoo.finding import CARD, is_exported
from nerzoo.zoo.tagger import ExportedTagger, Tagger

CONFIGURATIONS = sources.CONFIGURATIONS / "zoo"
SAMPLE = 100
_RESAMPLES = 999
_LANGUAGE_MODEL = "fofe_lm"


def train_zoo_model(
    name: str, data: AnyPath, serialization_dir: AnyPath, output: AnyPath, vectors: str = "", seed: int = 1
) -> Dict[str, Any]:
    """
    Trains the model of `training_config/zoo/NAME.jsonnet`, calibrates it on the development part, tests it, and packs
    it into the folder `output`: exported, or as published in 8 bits, with a card as JSON and as Markdown. Goes on where
    an earlier call was interrupted: what is in `serialization_dir` or `output` already is not made again. `data` is the
    folder of the corpora, `vectors` a file of word vectors for those models that need one. Returns the card. Raises
    `ConfigurationError` where there is no such configuration, or a file of it is missing.
    """
    recipe, output = _recipe(name), Path(output)
    if not output.exists():
        archive = _trained(_configuration(name, recipe, data, seed, vectors), Path(serialization_dir))
        if recipe.get("exported"):
            export_onnx(archive, output, bits=16)
        else:
            publish(archive, output, bits=8)
    card: Dict[str, Any] = {
        "description": recipe["description"],
        "score": "",
        "licence": "CC BY-SA 4.0",
        "nerzoo": __version__,
        "languages": recipe["languages"],
        "configuration": f"training_config/zoo/{name}.jsonnet",
        "seed": seed,
        "corpora": recipe["corpora"],
        "tests": {},
        "limits": recipe["limits"],
    }
    # The card has the speed of one core.
    torch.set_num_threads(1)
    card["tests"] = zoo_model_scores(name, output, data)
    seconds = sum(test.pop("seconds", 0) for test in card["tests"].values())
    if seconds:
        card["words_per_second"] = round(sum(test["words"] for test in card["tests"].values()) / seconds)
    card["score"] = _headline(card["tests"])
    card["bytes"] = sum(file.stat().st_size for file in output.rglob("*") if file.is_file())
    write_json(output / CARD, card)
    write_text(output / "README.md", "\n".join(_markdown(name, card)) + "\n")
    return card


def zoo_model_scores(
    name: str, folder: AnyPath, data: AnyPath, most: Optional[int] = None
) -> Dict[str, Dict[str, Any]]:
    """
    Returns the scores of a packed model on each of its tests, by name, for the words of about the first `most`
    sentences, by default of all. Each has those of its first sentences as `sample`, and the `seconds` of processor time
    that the predictions took.
    """
    recipe = _recipe(name)
    # The tests depend on neither seed nor vectors.
    config = _configuration(name, recipe, data, seed=1, vectors="none").as_dict(quiet=True)
    tests: Dict[str, Dict[str, Any]] = {}
    if config["model"]["type"] == _LANGUAGE_MODEL:
        for test, path in recipe["tests"].items():
            perplexities = {limit: _perplexity(folder, Path(data, path), limit) for limit in {SAMPLE, most}}
            tests[test] = {"perplexity": perplexities[most], "sample": {"perplexity": perplexities[SAMPLE]}}
        return tests
    one_thread = ExportedTagger(OnnxTagger.load(folder, num_threads=1)) if is_exported(folder) else None
    tagger = one_thread or Tagger.load(folder, "cpu")
    by_document = config["model"]["type"] == "memory_tagger"
    score = _accuracy if config["dataset_reader"].get("tags_from") == "pos" else _entity_scores
    for test, path, corpus in _tests(config, recipe, Path(data)):
        sentences, items = _items(corpus, path, by_document, most)
        started = time.process_time()
        predictions = list(tagger(items))
        seconds = time.process_time() - started
        if by_document:
            predictions = [sentence for document in predictions for sentence in document["sentences"]]
        found = list(zip(sentences, predictions, strict=True))
        tests[test] = {**score(found), "sample": score(found[:SAMPLE]), "seconds": seconds}
    return tests


def _perplexity(folder: AnyPath, path: Path, most: Optional[int]) -> float:
    limit = json.dumps({"validation_dataset_reader.max_instances": most})
    return evaluate_from_archive(folder, str(path), cmd_overrides=limit)["perplexity"]


def _configuration(name: str, recipe: Dict[str, Any], data: AnyPath, seed: int, vectors: AnyPath) -> Params:
    """
    Returns a model's configuration, which asks for the folder of the corpora, the seed and, if the model has GloVe's
    vectors, a file of them.
    """
    # The packed configuration has these paths, and is published. Absolute paths would tell about this machine.
    vectors = os.path.relpath(vectors) if "glove" in recipe["corpora"] else ""
    os.environ |= {"DATA": os.path.relpath(data), "SEED": str(seed), "WORD_VECTORS": vectors}
    return read_configuration(CONFIGURATIONS / f"{name}.jsonnet")


def _trained(params: Params, folder: Path) -> Path:
    """
    Returns the archive of a model that is trained in the folder and, if it finds labels, calibrated; and if it
    classifies spans, with tuned thresholds.
    """
    model_type, validation = params["model"]["type"], params["validation_data_path"]
    archive, calibrated = folder / "model.tar.gz", folder / "calibrated/model.tar.gz"
    if not archive.exists():
        train_model(params, folder, recover=folder.exists())
    if model_type == _LANGUAGE_MODEL:
        return archive
    if not calibrated.exists():
        calibrated.parent.mkdir(exist_ok=True)
        calibrate(str(archive), validation, str(calibrated))
    if model_type != "fofe_ner":
        return calibrated
    tuned = folder / "tuned/model.tar.gz"
    if not tuned.exists():
        tuned.parent.mkdir(exist_ok=True)
        tune_thresholds(str(calibrated), validation, str(tuned))
    return tuned


def _recipe(name: str) -> Dict[str, Any]:
    """Returns what `cards.libsonnet` says of a model, with what it says of its corpora."""
    recipes = read_configuration(CONFIGURATIONS / "cards.libsonnet").as_dict(quiet=True)
    if name not in recipes["models"]:
        raise ConfigurationError(f"found the model {name!r}, expected one of {', '.join(recipes['models'])}")
    recipe = recipes["models"][name]
    return {**recipe, "corpora": {corpus: recipes["corpora"][corpus] for corpus in recipe["corpora"]}}


def _tests(config: Dict[str, Any], recipe: Dict[str, Any], data: Path) -> Iterator[Tuple[str, Path, Corpus]]:
    """Yields the name, the path and the format of each test part: of a mixture, those of its corpora."""
    reader = config["dataset_reader"]
    if reader.get("corpus", {}).get("type") == "mixture":
        for name, part in reader["corpus"]["parts"].items():
            if isinstance(part["files"], str) or "test" in part["files"]:
                mixture = {**reader["corpus"], "parts": {name: part}}
                yield name, data / "test", Corpus.from_params(Params(mixture).duplicate())
        return
    for name, path in recipe["tests"].items():
        yield name, data / path, Corpus.from_params(Params(reader).duplicate().pop("corpus", "text"))


def _items(
    corpus: Corpus, path: Path, by_document: bool, most: Optional[int]
) -> Tuple[List[Sentence], List[Dict[str, Any]]]:
    """Returns the sentences of a corpus, and what a tagger reads of them: an item for each, or for each document."""
    documents: List[Document] = []
    for document in corpus.read(path):
        if most is not None and sum(len(document.sentences) for document in documents) >= most:
            break
        documents.append(document)
    sentences = [sentence for document in documents for sentence in document.sentences]

    def item(sentence: Sentence) -> Dict[str, Any]:
        given = {"words": sentence.words, "space_after": sentence.space_after, "types": sentence.annotated_types}
        return {name: value for name, value in given.items() if value is not None}

    if by_document:
        return sentences, [{"sentences": list(map(item, document.sentences))} for document in documents]
    return sentences[:most], list(map(item, sentences[:most]))


def _entity_scores(found: Sequence[Tuple[Sentence, Dict[str, Any]]]) -> Dict[str, Any]:
    """Returns scores by exact match, for all entities and by type, with intervals, and the calibration error."""
    sentences: List[Prediction] = []
    for sentence, values in found:
        (prediction,) = predictions_from_json(values, sentence.location)
        sentences.append(prediction._replace(gold=sentence.entities))
    types = sorted({entity.label for sentence in sentences for entity in sentence.gold})
    reliability = entity_reliability(sentences, types)
    return {
        "sentences": len(sentences),
        "words": sum(len(sentence.words) for sentence in sentences),
        **_scores(sentences),
        "types": {label: _scores(sentences, label) for label in types},
        "calibration_error": None if reliability is None else reliability["overall"]["expected_calibration_error"],
    }


def _scores(sentences: Sequence[Prediction], label: Optional[str] = None) -> Dict[str, Any]:
    counts = scheme_counts(sentences, label)
    low, high = score_interval(Measure("strict", "f1").ratios(counts), _RESAMPLES)
    return {**scores(counts)["strict"], "f1_interval": [low, high]}


def _accuracy(found: Sequence[Tuple[Sentence, Dict[str, Any]]]) -> Dict[str, Any]:
    """Returns the share of words with the right part of speech, with its interval."""
    counts = numpy.array(
        [
            (sum(map(operator.eq, sentence.pos or (), values["tags"])), len(sentence.words))
            for sentence, values in found
        ],
        float,
    )
    low, high = score_interval(counts, _RESAMPLES)
    right, words = counts.sum(0)
    return {"sentences": len(found), "words": int(words), "accuracy": right / words, "accuracy_interval": [low, high]}


def _headline(tests: Dict[str, Dict[str, Any]]) -> str:
    """Returns the score of the only test, or the lowest and the highest F1 of several, for the list of models."""
    first = next(iter(tests.values()))
    if "perplexity" in first:
        return f"perplexity {first['perplexity']:.1f}"
    if "accuracy" in first:
        return f"accuracy {100 * first['accuracy']:.1f}"
    low, *_, high = sorted([first["f1"], *(test["f1"] for test in tests.values())])
    return f"F1 {100 * low:.1f}" + (f" to {100 * high:.1f} on {len(tests)} tests" if len(tests) > 1 else "")


def _markdown(name: str, card: Dict[str, Any]) -> Iterator[str]:
    """Yields the lines of a card for people."""
    yield from (f"# {name}: {card['description']}", "")
    command = f"nerzoo zoo train {name} --data FOLDER{' --vectors FILE' * ('glove' in card['corpora'])}"
    yield from (
        f"Trained by `{command}` with `{card['configuration']}`, seed {card['seed']}, nerzoo {__version__}.",
        "",
    )
    size = f"{card['bytes'] / 1e6:.1f} MB"
    speed = f" {card['words_per_second']:,} words per second of processor time." if "words_per_second" in card else ""
    yield from (f"Size: {size}.{speed}", "", "## Scores", "")
    for test, found in card["tests"].items():
        if "f1" not in found:
            measure = next(key for key in ("perplexity", "accuracy") if key in found)
            value = f"{found[measure]:.1f}"
            if measure == "accuracy":
                low, high = found["accuracy_interval"]
                value = f"{100 * found[measure]:.1f}, 95 % interval {100 * low:.1f} to {100 * high:.1f}"
            yield from (f"Test part of {card['corpora'][test]['title']}: {measure} {value}.", "")
            continue
        yield from (f"Test part of {card['corpora'][test]['title']}, {found['words']:,} words:", "")
        yield from ("| type | entities | precision | recall | F1 | 95 % interval |", "|---|---|---|---|---|---|")
        for label, row in {"all": found, **found["types"]}.items():
            cells = [f"{100 * value:.1f}" for value in (row["precision"], row["recall"], row["f1"])]
            interval = "{:.1f} to {:.1f}".format(*(100 * bound for bound in row["f1_interval"]))
            yield f"| {' | '.join([label, str(row['gold']), *cells, interval])} |"
        if found["calibration_error"] is not None:
            yield from (
                "",
                f"Expected calibration error of its probabilities: {100 * found['calibration_error']:.1f} points.",
            )
        yield ""
    yield from ("## Limits", "", *(f"- {limit}" for limit in card["limits"]), "")
    yield from ("## Data, and its licences", "")
    for corpus in card["corpora"].values():
        yield f"- {corpus['title']}: {corpus['authors']}; {corpus['licence']}; {corpus['source']}"
    yield from ("", f"The licence of the model is {card['licence']}: some of its sources ask for it.")
