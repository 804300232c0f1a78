"""
The engines of `nerzoo tag`, each as a whole process with one thread, from a file of texts to a file of JSON lines,
beside `allennlp predict` with crf_tagger and beside spaCy's `apply`: processor time, medians of rounds in turn. The
texts are the sentences of GUM. The peers are trained on them for one epoch, with the sizes of `benchmarks.end_to_end`.

    DATA=FOLDER WORD_VECTORS=output/glove.100d.txt python -m benchmarks.engines ARCHIVE [--repeats 3]
"""

import json
import statistics
import tempfile
from functools import partial
from pathlib import Path
from typing import Callable, Dict, List, Tuple, Union

from benchmarks.end_to_end import CrfTagger, Spacy, write_tagged
from benchmarks.measuring import Cost, run
from experiments.common import argument_parser, corpus, markdown
from nerzoo.formats.conllu import ConlluCorpus
from nerzoo.inference.engine import load
from nerzoo.inference.export_onnx import export_onnx
from nerzoo.text.annotation import Sentence, entities_to_tags, layer, running_text

SENTENCE = "Mara Quill lived in Calder."


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("archive")
    parser.add_argument("--repeats", type=int, default=3)
    args = parser.parse_args()
    parts = {part: read(part) for part in ("train", "dev", "test")}
    sentences = [sentence for part in parts.values() for sentence in part]
    num_words = sum(len(sentence.words) for sentence in sentences)
    with tempfile.TemporaryDirectory() as temporary:
        data = Path(temporary)
        write_texts(data / "texts", [running_text(sentence.words, sentence.space_after) for sentence in sentences])
        write_texts(data / "one", [SENTENCE])
        # From now on, its exported form is kept.
        load(args.archive, "cpu")
        in_8_bits = str(export_onnx(args.archive, data / "in_8_bits", bits=8))
        systems: Dict[str, Callable[[str], Cost]] = {
            "`onnx`": partial(tag, data, [args.archive, "--engine", "onnx"]),
            "`onnx`, in 8 bits": partial(tag, data, [in_8_bits]),
            "`torch`": partial(tag, data, [args.archive, "--engine", "torch"]),
        }
        for name in ("train", "dev"):
            write_tagged(data / name, [tagged(sentence) for sentence in parts[name]])
        for name, peer in (("crf_tagger", CrfTagger("benchmarks/crf_tagger.jsonnet", ".txt")), ("spaCy", Spacy())):
            peer.train(data, data / name)
            systems[name] = partial(predict, peer, data, data / name)
        rounds: Dict[str, List[Tuple[Cost, Cost]]] = {name: [] for name in systems}
        for _ in range(args.repeats):
            for name, system in systems.items():
                rounds[name].append((system("texts"), system("one")))
    print(f"{len(sentences):,} sentences of {num_words:,} words")
    report(rounds, num_words)


def read(part: str) -> List[Sentence]:
    documents = ConlluCorpus().read(corpus(f"gum/{part}.conllu.gz"))
    return [sentence for document in documents for sentence in document.sentences]


def tagged(sentence: Sentence) -> List[List[str]]:
    """Returns each word with the tag of the outermost entity that it belongs to."""
    tags = entities_to_tags(layer(sentence.entities, "outermost"), len(sentence.words), "BIO")
    return [[word, tag] for word, tag in zip(sentence.words, tags, strict=True)]


def write_texts(path: Path, texts: List[str]) -> None:
    """Writes a text a line, and the same as JSON lines for the peers."""
    path.with_suffix(".txt").write_text("\n".join(texts), encoding="utf-8")
    lines = (json.dumps({"text": text, "sentence": text}) for text in texts)
    path.with_suffix(".jsonl").write_text("\n".join(lines), encoding="utf-8")


def tag(data: Path, model: List[str], name: str) -> Cost:
    """Tags a file by a model, with the options that follow it."""
    files = (str(data / f"{name}.txt"), "--output-file", str(data / "tagged.jsonl"), "--force")
    return run("-m", "nerzoo", "tag", *model, *files)


def predict(peer: Union[CrfTagger, Spacy], data: Path, output: Path, name: str) -> Cost:
    return peer.predict_texts(data, f"{name}.jsonl", output)


def report(rounds: Dict[str, List[Tuple[Cost, Cost]]], num_words: int) -> None:
    """Prints a Markdown table; the reference is the first system."""
    reference = next(iter(rounds.values()))
    rows = []
    for name, costs in rounds.items():
        seconds = statistics.median(file.processor for file, _ in costs)
        sentence = statistics.median(one.processor for _, one in costs)
        pairs = zip(costs, reference, strict=True)
        ratio = statistics.median(cost.processor / other.processor for (cost, _), (other, _) in pairs)
        rows.append([name, f"{seconds:.1f}", f"{ratio:.2f}", f"{num_words / seconds:,.0f}", f"{sentence:.2f}"])
    print(markdown(["", "processor time, s", "times the first", "words/s", "one sentence, s"], rows))


if __name__ == "__main__":
    main()
