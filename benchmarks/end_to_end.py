"""
Whole processes, files in and files out: `nerzoo train` of one epoch and `nerzoo predict`, beside crf_tagger of
allennlp-models by the command `allennlp` and beside spaCy's own `train` and `apply`. Everything that a user waits for
counts: the start, reading, indexing, the model, writing. Prints processor time, which other processes hardly change,
the peak of memory, and the median over rounds of each time divided by that of nerzoo. The time to predict one sentence
is that of the start.

    DATA=FOLDER WORD_VECTORS=output/glove.100d.txt python -m benchmarks.end_to_end [--tokens 50000 200000] [--repeats 3]

`ner` and its peers read the abstracts of BC2GM, with genes as entities; all have the same word vectors but spaCy, which
has none. `full` and its peer read sentences of GUM with their trees, again from the first if there are too few.
Development data is a hundredth of that. All data is split into words.
"""

import gzip
import json
import os
import statistics
import tempfile
from itertools import cycle
from pathlib import Path
from typing import Dict, Iterable, Iterator, List, Tuple

import spacy
from spacy.cli.init_config import init_config
from spacy.tokens import Doc, DocBin

from benchmarks.measuring import Cost, run
from experiments.common import argument_parser, corpus, markdown

OVERRIDES = '{"trainer.num_epochs": 1, "train_data_path": "%s", "validation_data_path": "%s"}'
GUM = "training_config/deptree_ner/gum"
GENES, TREES = "bc2gm/train.tsv.gz", "gum/train.conllu.gz"


class Nerzoo:
    """A configuration of this repository on files that end in `suffix`."""

    command = "nerzoo"

    def __init__(self, config: str, suffix: str) -> None:
        self.suffix = suffix
        self._config = config

    def train(self, data: Path, output: Path) -> Cost:
        paths = OVERRIDES % tuple(data / f"{part}{self.suffix}" for part in ("train", "dev"))
        options = ("-s", str(output), "-f", "-o", paths, "--include-package", "nerzoo")
        return run("-m", self.command, "train", self._config, *options)

    def predict(self, data: Path, part: str, output: Path) -> Cost:
        return self._predict(data, f"{part}{self.suffix}", output, "--use-dataset-reader")

    def predict_texts(self, data: Path, name: str, output: Path) -> Cost:
        """Predicts a file of JSON lines, each with `text` and the same as `sentence`."""
        return self._predict(data, name, output)

    def _predict(self, data: Path, name: str, output: Path, *options: str) -> Cost:
        files = (str(output / "model.tar.gz"), str(data / name), "--output-file", os.devnull)
        options = ("--silent", "--batch-size", "32", "--include-package", "nerzoo", *options)
        return run("-m", self.command, "predict", *files, *options, *self._predictor(data))

    def _predictor(self, data: Path) -> Tuple[str, ...]:
        return ()


class Allennlp(Nerzoo):
    """The same by AllenNLP's own command."""

    command = "allennlp"


class CrfTagger(Allennlp):
    """allennlp-models' tagger, whose predictor loads a pipeline of spaCy, even if it is not used."""

    def _predictor(self, data: Path) -> Tuple[str, ...]:
        return ("--predictor", "sentence_tagger", "--predictor-args", json.dumps({"language": str(data / "blank")}))


class Spacy:
    """spaCy's ner with its defaults, on text that is split into words."""

    def train(self, data: Path, output: Path) -> Cost:
        output.mkdir(parents=True, exist_ok=True)
        init_config(lang="en", pipeline=["ner"], optimize="efficiency").to_disk(output / "config.cfg")
        paths = [f"--paths.{part}={data / part}.spacy" for part in ("train", "dev")]
        # Evaluated once, after the epoch, as the others are.
        options = ("--training.max_epochs=1", "--training.max_steps=0", "--training.eval_frequency=1000000")
        return run("-m", "spacy", "train", str(output / "config.cfg"), "-o", str(output), *paths, *options)

    def predict(self, data: Path, part: str, output: Path) -> Cost:
        return self.predict_texts(data, f"{part}.spacy", output)

    def predict_texts(self, data: Path, name: str, output: Path) -> Cost:
        return run("-m", "spacy", "apply", "-F", str(output / "model-last"), str(data / name), f"{output}.spacy")


GROUPS = {
    "abstracts": {
        "ner": Nerzoo("training_config/ner.jsonnet", ".txt"),
        "ner by allennlp": Allennlp("training_config/ner.jsonnet", ".txt"),
        "crf_tagger": CrfTagger("benchmarks/crf_tagger.jsonnet", ".txt"),
        "spacy": Spacy(),
    },
    "treebank": {
        "full": Nerzoo(f"{GUM}/full.jsonnet", ".conllu"),
        "crf_tagger": CrfTagger(f"{GUM}/crf_tagger.jsonnet", ".conllu"),
    },
}


def blocks(path: str) -> Iterator[str]:
    """The sentences of a file, from the first again after the last."""
    with gzip.open(corpus(path), "rt", encoding="utf-8") as file:
        return cycle(file.read().strip().split("\n\n"))


def first(sentences: Iterable[str], num_tokens: int) -> List[str]:
    """The first sentences, until they have so many tokens."""
    found: List[str] = []
    for sentence in sentences:
        if num_tokens <= 0:
            break
        found.append(sentence)
        num_tokens -= sum(line[0] != "#" for line in sentence.splitlines())
    return found


def write_parts(folder: Path, num_tokens: int) -> None:
    """Training data, a hundredth of that as development data, and one sentence."""
    for part, size in (("train", num_tokens), ("dev", num_tokens // 100), ("one", 1)):
        tagged = [[line.split("\t") for line in block.splitlines()] for block in first(blocks(GENES), size)]
        write_tagged(folder / part, tagged)
        (folder / f"{part}.conllu").write_text("\n\n".join(first(blocks(TREES), size)) + "\n\n", encoding="utf-8")


def write_tagged(path: Path, tagged: List[List[List[str]]]) -> None:
    """Writes sentences, a word and a tag for each of their words, for AllenNLP and for spaCy, with a blank pipeline."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pipeline = spacy.blank("en")
    pipeline.to_disk(path.parent / "blank")
    # Columns of the reader of CoNLL-2003, which nerzoo's reader can read, too.
    lines = ("".join(f"{word} - O {tag}\n" for word, tag in sentence) for sentence in tagged)
    path.with_suffix(".txt").write_text("\n".join(lines), encoding="utf-8")
    docs = (Doc(pipeline.vocab, [word for word, _ in rows], ents=[tag for _, tag in rows]) for rows in tagged)
    DocBin(docs=docs).to_disk(path.with_suffix(".spacy"))


def measure(num_tokens: int, repeats: int, folder: Path) -> None:
    write_parts(folder / "data", num_tokens)
    data = folder / "data"
    for group, systems in GROUPS.items():
        costs: Dict[str, Dict[str, List[Cost]]] = {name: {} for name in systems}
        for _ in range(repeats):
            for name, system in systems.items():
                output = folder / name
                costs[name].setdefault("train", []).append(system.train(data, output))
                costs[name].setdefault("predict", []).append(system.predict(data, "train", output))
                costs[name].setdefault("one sentence", []).append(system.predict(data, "one", output))
        print(f"\n{group}, {num_tokens:,} tokens, medians of {repeats} rounds\n")
        report(costs)


def report(costs: Dict[str, Dict[str, List[Cost]]]) -> None:
    """Prints a Markdown table; the reference is the first system."""
    reference = next(iter(costs))
    header = ["", "system", "processor, s", "clock, s", "peak, GiB", f"processor time, times that of `{reference}`"]
    rows = []
    for work in costs[reference]:
        for name, works in costs.items():
            processor, clock, memory = map(statistics.median, zip(*works[work], strict=True))
            pairs = zip(works[work], costs[reference][work], strict=True)
            ratio = statistics.median(cost.processor / other.processor for cost, other in pairs)
            rows.append([work, f"`{name}`", f"{processor:.1f}", f"{clock:.1f}", f"{memory:.2f}", f"{ratio:.2f}"])
    print(markdown(header, rows))


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("--tokens", type=int, nargs="+", default=[50_000, 200_000])
    parser.add_argument("--repeats", type=int, default=3)
    args = parser.parse_args()
    for num_tokens in args.tokens:
        with tempfile.TemporaryDirectory() as folder:
            measure(num_tokens, args.repeats, Path(folder))


if __name__ == "__main__":
    main()
