"""The data of a bench, whatever its format, as JSON lines: a folder for each split with its three parts."""

import json
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional, Sequence

from allennlp.common.checks import ConfigurationError

from nerzoo.data.spacy_parser import SpacyParser
from nerzoo.errors import format_error
from nerzoo.files import folder_written_whole, json_text
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.jsonl import JsonlWriter
from nerzoo.runs.folds import divide, parts
from nerzoo.text.annotation import Document
from nerzoo.text.tag_schemes import layer

GOLD_NAME = "gold.jsonl"
ORDER_NAME = "order.json"

Split = Dict[str, List[Document]]
"""The documents of its `train`, `dev` and `test` parts."""


class PreparedData(NamedTuple):
    """The splits of the data, and of each sentence of their test parts, one after the other, its place in the data."""

    splits: List[Split]
    order: List[int]


def read_documents(
    path: str, corpus: Corpus, flat_layer: Optional[str] = None, parser: Optional[SpacyParser] = None
) -> List[Document]:
    """
    Reads a file of the data.

    # Parameters

    path : `str`
    corpus : `Corpus`
    flat_layer : `str`, optional
        `"outermost"` or `"innermost"`: which of nested entities are kept; by default, all.
    parser : `SpacyParser`, optional
        Gives sentences their trees, and parts of speech to those without.

    # Raises

    `ConfigurationError` where words have labels of their own in place of entities, or there is no sentence.
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


def as_parts(train: List[Document], dev: List[Document], test: List[Document]) -> PreparedData:
    """Data that is divided already."""
    return PreparedData([{"train": train, "dev": dev, "test": test}], list(range(_num_sentences(test))))


def as_folds(documents: Sequence[Document], num_folds: int, seed: int) -> PreparedData:
    """
    Data as folds of documents, each of which is the test part of one split and the development part of another one.
    Each sentence of what does not separate documents is a document of its own.

    # Raises

    `ConfigurationError` where there are fewer than three folds, or fewer documents than folds.
    """
    if num_folds < 3:
        raise ConfigurationError(f"found {num_folds} folds, expected at least 3: to train, to validate and to test")
    units = [
        unit
        for each in documents
        for unit in ([each] if each.id is not None else [Document(None, [sentence]) for sentence in each.sentences])
    ]
    folds = divide([str(position) for position in range(len(units))], num_folds, seed)
    starts = [0, *accumulate(len(unit.sentences) for unit in units)]
    splits: List[Split] = []
    order: List[int] = []
    for fold in range(num_folds):
        positions = {part: sorted(map(int, names)) for part, names in parts(folds, fold, validation=True).items()}
        divided = {part: [units[position] for position in places] for part, places in positions.items()}
        splits.append({"train": divided["train"], "dev": divided["validation"], "test": divided["test"]})
        order += [place for position in positions["test"] for place in range(starts[position], starts[position + 1])]
    return PreparedData(splits, order)


def write_data(folder: Path, data: PreparedData) -> None:
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
        JsonlWriter().write_all(_ordered(data.order, tested), unfinished / GOLD_NAME)


def in_order(folder: Path, lines: Sequence[str]) -> List[str]:
    """Brings what stands for the sentences of all test parts, one part after the other, into the order of the data."""
    return _ordered(json.loads((folder / ORDER_NAME).read_text(encoding="utf-8")), lines)


def _ordered(order: Sequence[int], values: Sequence) -> List:
    return [value for _, value in sorted(zip(order, values, strict=True), key=lambda pair: pair[0])]


def _num_sentences(documents: Sequence[Document]) -> int:
    return sum(len(document.sentences) for document in documents)
