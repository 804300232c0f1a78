"""Reads the entities that a first pass found in a file, on which a second pass is trained."""

from typing import Iterable, Iterator, NamedTuple, Optional, Sequence, Tuple

from allennlp.common.file_utils import cached_path

from nerzoo.errors import format_error
from nerzoo.formats.json_text import json_object
from nerzoo.formats.jsonl import sentence_from_json
from nerzoo.formats.lines import Line, read_lines
from nerzoo.text.annotation import Document, Entity, Sentence


class FirstPass(NamedTuple):
    """A sentence and the entities that a first pass found in it."""

    document_id: Optional[str]
    sentence: Sentence
    entities: Sequence[Entity]
    """Possibly nested."""
    location: str
    """The location of the entities: `file:line`."""


def with_first_pass(
    documents: Iterable[Document], file_path: str, predictions: Optional[str] = None
) -> Iterator[FirstPass]:
    """
    Yields the sentences of a file, each with the entities that a first pass found in it.

    # Parameters

    documents : `Iterable[Document]`
        The documents of the file.
    file_path : `str`
        The path of the file, for error messages.
    predictions : `str`, optional
        The path of a file of predictions as `allennlp cross-predict` and `allennlp predict --use-dataset-reader` write
        it: one sentence per line, in the order of the documents. By default, gold entities stand for predictions.

    # Raises

    `ConfigurationError` where there is no file of predictions, or its sentences are not those of the documents.
    """
    sentences = ((document.id, sentence) for document in documents for sentence in document.sentences)
    if predictions is None:
        for document_id, sentence in sentences:
            yield FirstPass(document_id, sentence, sentence.entities, sentence.location)
        return
    predicted = _read(predictions)
    for document_id, sentence in sentences:
        line, found = next(predicted, (None, None))
        if found is None:
            raise format_error(predictions, f"no prediction for {sentence.location}", "one for each sentence")
        if found.words != sentence.words:
            raise format_error(
                line,
                f"the words {found.words}",
                f"those of {sentence.location}, {sentence.words}; a file for validation needs no "
                "predictions, but a validation_dataset_reader without first_pass",
            )
        yield FirstPass(document_id, sentence, found.entities, str(line))
    line, _ = next(predicted, (None, None))
    if line is not None:
        raise format_error(line, "one prediction more", f"as many as {file_path} has sentences")


def _read(path: str) -> Iterator[Tuple[Line, Sentence]]:
    try:
        cached_path(path)
    except FileNotFoundError:
        raise format_error(
            path,
            "no such file",
            "the predictions of a first pass; `allennlp cross-predict CONFIG -s FOLDER` writes "
            "FOLDER/predictions.jsonl",
        ) from None
    for line in read_lines(path):
        if not line.is_blank:
            yield line, sentence_from_json(json_object(line), line)
