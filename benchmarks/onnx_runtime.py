"""
An exported tagger beside the archive that it was exported from: differences of their predictions for all sentences of
GUM and Wikigold, of GUM alone if it reads trees, of GUM and LitBank's test part if it finds nested entities, or of a
file, or documents, if it reads these; their F1 and their speed; and the processor time of a new process up to its first
prediction. There is a tagger for each number of bits, and a time for each size of batches.

    python -m benchmarks.onnx_runtime ARCHIVE [--columns FILE] [--bits 32 16 8] [--batch-tokens 4096] [--timed 400]
"""

import json
import statistics
import tempfile
from functools import partial
from pathlib import Path
from typing import Any, Dict, List, Sequence

import torch

from benchmarks.measuring import processor_time, run
from experiments.common import argument_parser, corpus, predicted_entities
from nerzoo.formats.columns import ColumnsCorpus
from nerzoo.formats.conllu import ConlluCorpus
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.jsonl import JsonlCorpus
from nerzoo.inference.export_onnx import export_onnx
from nerzoo.inference.tagger import Tagger
from nerzoo.runtime.onnx_tagger import OnnxTagger
from nerzoo.runtime.spans import SpanDecoding
from nerzoo.text.annotation import Entity
from nerzoo.text.matching import MatchCounter
from nerzoo.text.token_batches import BATCH_TOKENS

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


def f1(gold: List[Sequence[Entity]], predictions: List[Dict[str, Any]]) -> float:
    """F1 of entities, as a percentage."""
    counter = MatchCounter()
    for sentence, entities in zip(sentences(predictions), gold, strict=True):
        counter.add(predicted_entities(sentence), entities)
    return 100 * counter.total().scores()["f1"]


def report_speed(taggers: Dict[str, Any], given: List[Dict[str, Any]], repeats: int, title: str) -> None:
    """Prints the words a second of each tagger, and the medians of its ratios to `Tagger` in the same round."""
    num_words = sum(len(sentence["words"]) for sentence in sentences(given))
    calls = {name: partial(lambda tagger: list(tagger.results(given)), tagger) for name, tagger in taggers.items()}
    rounds = [{name: processor_time(call) for name, call in calls.items()} for _ in range(repeats)]
    for name in calls:
        words = num_words / statistics.median(times[name] for times in rounds)
        ratio = statistics.median(times["Tagger"] / times[name] for times in rounds)
        print(f"  {name:<12} {words:9.0f} words/s {ratio:6.2f} x Tagger, {num_words} words {title}")


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("archive")
    parser.add_argument("--columns", help="a file of columns below DATA, in place of GUM and Wikigold")
    parser.add_argument("--bits", type=int, nargs="+", default=[32])
    parser.add_argument("--batch-tokens", type=int, nargs="+", default=[BATCH_TOKENS])
    parser.add_argument("--timed", type=int, help="how many of the sentences or documents are timed, by default all")
    parser.add_argument("--repeats", type=int, default=3)
    args = parser.parse_args()
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as temporary:
        loads = {"Tagger": partial(Tagger.load, args.archive, "cpu", engine="torch")}
        starts = {"Tagger": LOADS["Tagger"].format(args.archive, SENTENCE)}
        for bits in args.bits:
            folder, name = export_onnx(args.archive, Path(temporary) / str(bits), bits), f"{bits} bits"
            loads[name] = partial(OnnxTagger.load, folder, num_threads=1)
            starts[name] = LOADS["OnnxTagger"].format(str(folder), SENTENCE)
            megabytes = [sum(file.stat().st_size for file in folder.glob(files)) / 1e6 for files in ("*", "*.onnx")]
            vocabularies = [len(json.loads(file.read_bytes())) for file in folder.glob("*.vocabulary.json")]
            print(f"{name}: {megabytes[0]:.1f} MB, graph {megabytes[1]:.1f} MB, {max(vocabularies, default=0)} words")
        for name, start in starts.items():
            costs = [run("-c", start).processor for _ in range(args.repeats)]
            print(f"  {name:<12} first prediction of a process: {statistics.median(costs):.2f} s, user and system")
        taggers = {name: load() for name, load in loads.items()}
        exported = taggers[f"{args.bits[0]} bits"]
        names = ["gum"]
        if not exported.annotations:
            names.append("litbank" if isinstance(exported.decoding, SpanDecoding) else "wikigold")
        corpora = {name: CORPORA[name] for name in names}
        if args.columns:
            corpora = {args.columns: (ColumnsCorpus(), [args.columns])}
        for name, (reader, names) in corpora.items():
            given = items(reader, names, exported)
            gold = [
                sentence.entities
                for path in names
                for document in reader.read(corpus(path))
                for sentence in document.sentences
            ]
            num_words = sum(len(sentence["words"]) for sentence in sentences(given))
            print(f"{name}: {len(gold)} sentences of {num_words} words")
            found = {system: list(tagger.results(given)) for system, tagger in taggers.items()}
            for system, predictions in found.items():
                compared = compare(found["Tagger"], predictions)
                print(f"  {system:<12} F1 {f1(gold, predictions):.2f}; {compared}")
            for size in args.batch_tokens:
                sized = {system: load(batch_tokens=size) for system, load in loads.items()}
                report_speed(sized, given[: args.timed], args.repeats, f"in batches of {size}")
        one = {name: partial(tagger, SENTENCE) for name, tagger in taggers.items()}
        for name, call in one.items():
            milliseconds = 1e3 * statistics.median(processor_time(call) for _ in range(100))
            print(f"  {name:<12} one sentence in {milliseconds:.2f} ms")


if __name__ == "__main__":
    main()
