from itertools import groupby
from pathlib import Path
from typing import Iterator, List, NamedTuple, Optional, Sequence, Tuple

from allennlp.common.checks import ConfigurationError

from nerzoo.errors import format_error
from nerzoo.evaluation.predictions import (
    ScoredSentence,
    check_same_words,
    gold_of_predictions,
    read_corpus,
    read_predictions,
)
from nerzoo.formats.corpus import Corpus
from nerzoo.reports.evaluated_sentence import EvaluatedSentence
from nerzoo.text.annotation import ordered


class System(NamedTuple):
    """A system, and what each of its runs, which differ in their seeds, predicted for the same sentences."""

    name: str
    files: List[str]
    runs: List[List[EvaluatedSentence]]


def read_systems(
    files: Sequence[Sequence[str]],
    names: Optional[Sequence[str]] = None,
    gold: Optional[List[ScoredSentence]] = None,
    gold_path: str = "",
    corpus: Optional[Corpus] = None,
) -> List[System]:
    """
    Reads the predictions of systems.

    # Parameters

    files : `Sequence[Sequence[str]]`
        For each system the file of predictions of each of its runs.
    names : `Sequence[str]`, optional
        The name of each system; by default, that of its first file, with its folder if it takes that to tell them
        apart.
    gold : `List[ScoredSentence]`, optional
        The sentences with their gold entities; by default, those that the predictions hold.
    gold_path : `str`, optional (default = `""`)
        The file of `gold`, for error messages.
    corpus : `Corpus`, optional
        The format of the predictions; by default, what `allennlp predict` writes.

    # Raises

    `ConfigurationError`, naming file and line, where the files do not hold the same sentences in the same order, there
    is none, or their gold entities are not known or differ; where a file is there twice for a system, or names are.
    """
    for of_system in files:
        if not of_system or len({*of_system}) < len(of_system):
            raise ConfigurationError(f"found the files {list(of_system)} of a system, expected each of its runs once")
    names = list(names or _names(files))
    if not files or len(names) != len(files) or len({*names}) < len(names):
        raise ConfigurationError(f"found the names {names} for {len(files)} systems, expected a different one for each")
    read = {path: _read(path, corpus) for of_system in files for path in of_system}
    (reference_path, reference), *others = read.items()
    if not reference:
        raise format_error(reference_path, "no sentence", "at least one")
    for path, run in others:
        check_same_words(run, path, reference, reference_path)
    if gold is None:
        entities = [gold_of_predictions(sentences) for sentences in zip(*read.values(), strict=True)]
    else:
        check_same_words(reference, reference_path, gold, gold_path)
        entities = [sentence.annotation for sentence in gold]
    entities = list(map(ordered, entities))
    # Any of the files may know the documents.
    ids = [_first_id(sentences) for sentences in zip(*read.values(), *([gold] if gold else []), strict=True)]
    positions = list(_positions(ids))
    return [
        System(
            name,
            list(of_system),
            [
                [
                    EvaluatedSentence(
                        str(sentence.location),
                        sentence.words,
                        truth,
                        sentence.annotation,
                        sentence.probabilities,
                        *place,
                    )
                    for sentence, truth, place in zip(read[path], entities, positions, strict=True)
                ]
                for path in of_system
            ],
        )
        for name, of_system in zip(names, files, strict=True)
    ]


def _names(files: Sequence[Sequence[str]]) -> List[str]:
    first = [of_system[0] for of_system in files]
    stems = [Path(path).name.partition(".")[0] for path in first]
    return stems if len({*stems}) == len(stems) else first


def _read(path: str, corpus: Optional[Corpus]) -> List[ScoredSentence]:
    sentences = read_predictions(path, "entities") if corpus is None else read_corpus(path, corpus)
    for sentence in sentences:
        strange = [probability for probability in sentence.probabilities or () if not 0 <= probability <= 1]
        if strange:
            raise format_error(sentence.location, f"the probability {strange[0]}", "one from 0 to 1")
    return sentences


def _first_id(sentences: Sequence[ScoredSentence]) -> Optional[str]:
    return next((sentence.document_id for sentence in sentences if sentence.document_id is not None), None)


def _positions(ids: Sequence[Optional[str]]) -> Iterator[Tuple[Optional[str], Optional[int]]]:
    """Yields the document of each sentence and its place there; a document's sentences follow one another."""
    for document_id, group in groupby(ids):
        for position, _ in enumerate(group, start=1):
            yield document_id, None if document_id is None else position
