"""
Data of a bench: facts about a corpus; its splits as JSON lines, a folder with three parts for each split; and the
specification of a run on a split.
"""

from dataclasses import asdict, dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional, Sequence, TypeVar

from allennlp.common.checks import ConfigurationError

from nerzoo.data.spacy_parser import SpacyParser
from nerzoo.errors import format_error
from nerzoo.files import folder_written_whole, json_text, read_run_file, write_json
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.divided import divisible
from nerzoo.formats.jsonl import JsonlCorpus, JsonlWriter
from nerzoo.runs.folds import divide, parts
from nerzoo.text.annotation import Document, Sentence, layer, layers

GOLD_NAME = "gold.jsonl"
ORDER_NAME = "order.json"
_SPECIFICATION_NAME = "run.json"
_SHARE_OF_LENGTHS = 0.98

_T = TypeVar("_T")

Split = Dict[str, List[Document]]
"""The documents of its `train`, `dev` and `test` parts."""


class BenchData(NamedTuple):
    """The splits of the data, and the position in the data of each sentence of their test parts, split by split."""

    splits: List[Split]
    order: List[int]


@dataclass(frozen=True)
class CorpusFacts:
    """Facts about a corpus that decide which systems can be trained on it, and how."""

    num_documents: int
    """0 where the corpus does not separate documents."""
    num_sentences: int
    num_words: int
    num_entities: int
    types: List[str]
    has_trees: bool
    """True if all sentences have parts of speech, heads and dependency labels."""
    depth: int
    """The largest number of entities around a word: 1 where none is in another one."""
    max_length: int
    """The shortest length, in words, that 98 % of the entities do not exceed."""


def corpus_facts(documents: Sequence[Document]) -> CorpusFacts:
    """Counts the facts about a corpus."""
    sentences = [sentence for document in documents for sentence in document.sentences]
    entities = [entity for sentence in sentences for entity in sentence.entities]
    lengths = sorted(entity.end - entity.start for entity in entities) or [1]
    return CorpusFacts(
        sum(document.id is not None for document in documents),
        len(sentences),
        sum(len(sentence.words) for sentence in sentences),
        len(entities),
        sorted({entity.label for entity in entities}),
        all(None not in (sentence.pos, sentence.heads, sentence.dep_labels) for sentence in sentences),
        max((len(layers(sentence.entities)) for sentence in sentences), default=0),
        lengths[min(int(_SHARE_OF_LENGTHS * len(lengths)), len(lengths) - 1)],
    )


def read_documents(
    path: str, corpus: Corpus, flat_layer: Optional[str] = None, parser: Optional[SpacyParser] = None
) -> List[Document]:
    """
    Reads a file of the data. `flat_layer`, `"outermost"` or `"innermost"`, keeps one layer of nested entities; `parser`
    gives sentences their trees, and parts of speech to those without. Raises `ConfigurationError` where words have
    labels of their own in place of entities, or there is no sentence.
    """
    documents = list(corpus.read(path))
    for document in documents:
        if parser is not None:
            document.sentences = list(parser.reparse(document.sentences, replace_pos=False))
        for number, sentence in enumerate(document.sentences):
            if sentence.tags is not None:
                raise format_error(sentence.location, "a label for each word", "entities")
            if flat_layer is not None:
                document.sentences[number] = replace(sentence, entities=layer(sentence.entities, flat_layer))
    if not any(document.sentences for document in documents):
        raise format_error(path, "no sentence", "at least one")
    return documents


def as_parts(train: List[Document], dev: List[Document], test: List[Document]) -> BenchData:
    """Returns data that is divided already."""
    num_sentences = sum(len(document.sentences) for document in test)
    return BenchData([{"train": train, "dev": dev, "test": test}], list(range(num_sentences)))


def as_folds(documents: Sequence[Document], num_folds: int, seed: int) -> BenchData:
    """
    Divides documents into folds. Each fold is the test part of one split and the development part of another one.
    Sentences of a corpus without documents are divided one by one. Raises `ConfigurationError` where there are fewer
    than three folds, or fewer documents than folds.
    """
    if num_folds < 3:
        raise ConfigurationError(f"found {num_folds} folds, expected at least 3: to train, to validate and to test")
    units = divisible(documents)
    folds = divide(list(map(str, range(len(units)))), num_folds, seed)
    starts = [0, *accumulate(len(unit.sentences) for unit in units)]
    splits: List[Split] = []
    order: List[int] = []
    for fold in range(num_folds):
        positions = {part: sorted(map(int, names)) for part, names in parts(folds, fold, validation=True).items()}
        divided = {part: [units[position] for position in chosen] for part, chosen in positions.items()}
        splits.append({"train": divided["train"], "dev": divided["validation"], "test": divided["test"]})
        order += [place for position in positions["test"] for place in range(starts[position], starts[position + 1])]
    return BenchData(splits, order)


def write_data(folder: Path, data: BenchData) -> None:
    """
    Writes the parts of all splits, all or nothing: `0/train.jsonl` and so on; `gold.jsonl`, the sentences of all test
    parts in the order of the data; and `order.json`, that order.
    """
    tested = [
        Document(document.id, [sentence])
        for split in data.splits
        for document in split["test"]
        for sentence in document.sentences
    ]
    with folder_written_whole(folder) as unfinished:
        for number, split in enumerate(data.splits):
            (unfinished / str(number)).mkdir()
            for part, documents in split.items():
                JsonlWriter().write_all(documents, unfinished / str(number) / f"{part}.jsonl")
        (unfinished / ORDER_NAME).write_text(json_text(data.order), encoding="utf-8")
        JsonlWriter().write_all(in_order(data.order, tested), unfinished / GOLD_NAME)


def in_order(order: Sequence[int], values: Sequence[_T]) -> List[_T]:
    """Brings values for the sentences of all test parts, split by split, into the order of the data."""
    return [value for _, value in sorted(zip(order, values, strict=True), key=lambda pair: pair[0])]


@dataclass(frozen=True)
class RunSpecification:
    """The parameters of a run: the content of `run.json` in its folder."""

    system: str
    seed: int
    epochs: int
    data: str
    """The folder with `train.jsonl`, `dev.jsonl` and `test.jsonl`, relative to the folder of the run."""
    max_length: int
    """The longest entities that a system which scores all spans looks for."""
    configs: str
    """The folder with the configurations of systems."""
    word_vectors: str = ""
    """The file of word vectors; empty where they are learned."""
    vector_size: int = 100
    transformer: str = ""
    """The folder of a transformer; empty where there is none."""
    language: str = "en"
    """The language of spaCy's pipelines."""
    num_threads: int = 1

    @classmethod
    def read(cls, folder: Path) -> "RunSpecification":
        return cls(**read_run_file(folder / _SPECIFICATION_NAME, dict))

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        write_json(folder / _SPECIFICATION_NAME, asdict(self))

    def path(self, folder: Path, part: str) -> Path:
        """Returns the file of the `train`, `dev` or `test` part for the run in a folder."""
        return (folder / self.data / f"{part}.jsonl").resolve()

    @property
    def environment(self) -> Dict[str, str]:
        """The environment variables that configurations read, and the number of threads."""
        return {
            "SEED": str(self.seed),
            "EPOCHS": str(self.epochs),
            "WORD_VECTORS": self.word_vectors,
            "WORD_VECTOR_SIZE": str(self.vector_size),
            "TRANSFORMER": self.transformer,
            "OMP_NUM_THREADS": str(self.num_threads),
        }


def read_sentences(path: Path) -> List[Sentence]:
    """Returns the sentences of a file of JSON lines."""
    return [sentence for document in JsonlCorpus().read(path) for sentence in document.sentences]
