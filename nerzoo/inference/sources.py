"""Sources of `nerzoo tag`, which read items from files; and predictions as documents, for nerzoo's formats."""

from bisect import bisect_right
from dataclasses import replace
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import cached_path

from nerzoo.data.dataset_readers.annotated_text_reader import AnnotatedTextReader
from nerzoo.errors import format_error
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.jsonl import sentence_from_json
from nerzoo.formats.lines import json_object, read_lines
from nerzoo.formats.parquet import open_parquet, read_batches
from nerzoo.formats.threads import ThreadCorpus, thread_to_json
from nerzoo.inference.json_predictor import JsonPredictor
from nerzoo.inference.ner import DocumentNerPredictor
from nerzoo.text.annotation import Document, Sentence
from nerzoo.text.splitting import text_units
from nerzoo.zoo.command import STANDARD_INPUT

_READ = ("words", "pos", "heads", "dep_labels", "space_after")
_COPIED = ("pos", "heads", "dep_labels", "space_after", "doc_id", "sentence", "running_text")
Object = Dict[str, Any]


class SourceItem(NamedTuple):
    """An item and its location. `inputs` is a text, an object, or the error in their place."""

    location: str
    inputs: Any


Source = Callable[[str], Iterator[SourceItem]]
"""Yields the items of a file."""


def text_items(text_unit: str) -> Source:
    """Returns a source of the texts of a file, see `nerzoo.text.splitting.text_units`."""

    def items(path: str) -> Iterator[SourceItem]:
        lines = ((line.number, line.text) for line in read_lines(_readable(path)))
        return (SourceItem(f"{path}:{number}", text) for number, text in text_units(lines, text_unit))

    return items


def json_items(path: str) -> Iterator[SourceItem]:
    """Yields each JSON object of a file of JSON lines."""
    for line in read_lines(_readable(path)):
        if line.is_blank:
            continue
        location = f"{path}:{line.number}"
        try:
            yield SourceItem(location, json_object(line._replace(path=path)))
        except (ConfigurationError, RecursionError, ValueError) as error:
            yield SourceItem(location, ConfigurationError(str(error).removeprefix(f"{location}: ")))


def parquet_items(column: str) -> Source:
    """Returns a source of the cells of a column, which are texts or lists of words."""

    def items(path: str) -> Iterator[SourceItem]:
        file = open_parquet(path, Path(cached_path(path)))
        present = file.schema_arrow.names
        if column not in present:
            raise format_error(path, f"the columns {', '.join(present)}", f"a column {column}")
        cells = (cell for batch in read_batches(path, file, [column]) for cell in batch[column].to_pylist())
        for number, cell in enumerate(cells, start=1):
            inputs: Any = {"words": cell} if isinstance(cell, list) else cell
            if not isinstance(cell, (str, list)):
                found = f"found {cell!r:.100} in the column {column}"
                inputs = ConfigurationError(f"{found}, expected a text, or a list of words")
            yield SourceItem(f"{path}: row {number}", inputs)

    return items


def corpus_items(corpus: Union[Corpus, ThreadCorpus], predictor: JsonPredictor) -> Source:
    """Returns a source of threads, documents or sentences, as the predictor takes them, without gold annotation."""

    def items(path: str) -> Iterator[SourceItem]:
        path = _readable(path)
        if isinstance(corpus, ThreadCorpus):
            for thread in corpus.read(path):
                yield SourceItem(thread.location, thread_to_json(thread.without_links()))
            return
        reader = predictor.dataset_reader
        if isinstance(reader, AnnotatedTextReader):
            reader.corpus = corpus
        for document in reader.documents(path) if isinstance(reader, AnnotatedTextReader) else corpus.read(path):
            doc_id = {} if document.id is None else {"doc_id": document.id}
            sentences = _sentences(document)
            if isinstance(predictor, DocumentNerPredictor):
                location = path if document.id is None else f"{path} (document {document.id})"
                yield SourceItem(location, {**doc_id, "sentences": sentences})
            else:
                for sentence, inputs in zip(document.sentences, sentences, strict=True):
                    yield SourceItem(sentence.location, {**doc_id, **inputs})

    return items


def all_items(source: Source, paths: Sequence[str], ends: Optional[List[int]] = None) -> Iterator[SourceItem]:
    """Yields the items of several files. Adds to `ends` the number of items up to the end of each file."""
    number = 0
    for path in paths:
        for item in source(path):
            number += 1
            yield item
        if ends is not None:
            ends.append(number)


def _readable(path: str) -> str:
    return "/dev/stdin" if path == STANDARD_INPUT else path


def _sentences(document: Document) -> List[Object]:
    """Returns the annotation of each sentence; in a running text also all characters before the next sentence."""
    sentences = [
        {name: getattr(sentence, name) for name in _READ if getattr(sentence, name) is not None}
        for sentence in document.sentences
    ]
    if document.text is not None:
        _, *starts = (start for start, _ in document.bounds(document.text))
        for sentence, (start, end) in zip(sentences, pairwise([0, *starts, len(document.text)]), strict=True):
            sentence["running_text"] = document.text[start:end]
    return sentences


def with_inputs(inputs: Union[str, Object], prediction: Object) -> Object:
    """Adds the text of an item, or the annotation of its words other than entities, to its prediction."""
    if _is_text(prediction):
        doc_id = {} if isinstance(inputs, str) or inputs.get("doc_id") is None else {"doc_id": inputs["doc_id"]}
        return {**doc_id, **prediction, "sentences": _text_parts(prediction)}
    if isinstance(inputs, str):
        inputs = {"sentence": inputs}
    if "sentences" in prediction:
        sentences = inputs.get("sentences", [inputs])
        parts = [with_inputs(*pair) for pair in zip(sentences, prediction["sentences"], strict=True)]
        return {**prediction, "sentences": parts}
    return {**{name: inputs[name] for name in _COPIED if inputs.get(name) is not None}, **prediction}


def _is_text(prediction: Object) -> bool:
    """Returns whether a prediction is that of a text, and not of a sentence or of the sentences of a document."""
    return {"text", "sentences"} <= prediction.keys()


def _text_parts(prediction: Object) -> List[Object]:
    """Returns the sentences of a text, each with all characters before the next one."""
    text, sentences = prediction["text"], prediction["sentences"]
    bounds = pairwise([0, *(sentence["offsets"][0] for sentence in sentences[1:]), len(text)])
    parts = []
    for sentence, (start, end) in zip(sentences, bounds, strict=False):
        ends = [offset + len(word) for offset, word in zip(sentence["offsets"], sentence["words"], strict=True)]
        space_after = [place == len(text) or text[place].isspace() for place in ends]
        parts.append({**sentence, "running_text": text[start:end], "space_after": space_after})
    return parts


def documents(entries: Iterable[Object], by_file: bool = False, ends: Sequence[int] = ()) -> Iterator[Document]:
    """
    Turns the objects of `with_inputs` into documents: consecutive sentences with the same `doc_id`, `by_file` also
    those without one, or single sentences and texts, so that a file may have any length. Leaves out empty sentences.
    `ends` are the numbers of objects up to the end of each file: no document goes beyond its file.
    """

    def key(numbered: Tuple[int, Object]) -> Tuple[int, Union[str, int]]:
        number, entry = numbered
        file = bisect_right(ends, number)
        if isinstance(entry.get("doc_id"), str):
            return file, entry["doc_id"]
        return file, -1 if by_file and "sentence" not in entry and not _is_text(entry) else number

    predicted = ((number, entry) for number, entry in enumerate(entries) if "error" not in entry)
    doc_id: Union[str, int, None]
    for (_, doc_id), group in groupby(predicted, key):
        parts = [part for _, entry in group for part in entry.get("sentences", [entry]) if part["words"]]
        text = _text(parts)
        if isinstance(doc_id, int):
            # A part of a document has white space up to the next sentence.
            doc_id, text = None, text and text.strip()
        if parts:
            yield Document(doc_id, list(map(_sentence, parts)), text)


def _text(parts: List[Object]) -> Optional[str]:
    """Returns the running text of sentences, if they have one."""
    for name, separator in (("running_text", ""), ("sentence", "\n")):
        if all(name in part for part in parts):
            return separator.join(part[name] for part in parts)
    return None


def _sentence(part: Object) -> Sentence:
    words: List[str] = part["words"]
    sentence = sentence_from_json({**part, "id": None}, f"the sentence {' '.join(words)!r:.80}")
    if "sentence" not in part:
        return sentence
    text = part["sentence"]
    ends = [offset + len(word) for offset, word in zip(sentence.offsets(text), words, strict=True)]
    # A line end follows the last word.
    return replace(sentence, space_after=[end == len(text) or text[end].isspace() for end in ends])
