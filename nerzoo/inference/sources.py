"""
Predictions as documents, for the formats that nerzoo writes.

What `allennlp tag` reads: items of any corpus, of plain text, of JSON lines and of Parquet, one after another.
"""

from dataclasses import replace
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Union

from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import cached_path

from nerzoo.data.dataset_readers.annotated_text_reader import AnnotatedTextReader
from nerzoo.errors import format_error
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.json_text import json_object
from nerzoo.formats.jsonl import sentence_from_json
from nerzoo.formats.lines import read_lines
from nerzoo.formats.parquet import open_parquet, read_batches
from nerzoo.formats.threads import Thread, ThreadCorpus, thread_to_json
from nerzoo.inference.json_predictor import JsonPredictor
from nerzoo.inference.ner import DocumentNerPredictor
from nerzoo.text.annotation import Document, Sentence

_OF_SENTENCES = ("pos", "heads", "dep_labels", "space_after", "doc_id", "sentence", "running_text")
Object = Dict[str, Any]


def with_inputs(inputs: Union[str, Object], prediction: Object) -> Object:
    """Adds to a prediction what a document has of the item: its text, or annotation of words other than entities."""
    if isinstance(inputs, str):
        inputs = {"sentence": inputs}
    if "sentences" in prediction:
        sentences = inputs.get("sentences", [inputs])
        parts = [with_inputs(*pair) for pair in zip(sentences, prediction["sentences"], strict=True)]
        return {**prediction, "sentences": parts}
    return {**{name: inputs[name] for name in _OF_SENTENCES if inputs.get(name) is not None}, **prediction}


def documents(entries: Iterable[Object], by_file: bool = False) -> Iterator[Document]:
    """
    Turns the objects of `with_inputs` into documents: sentences that follow one another with the same `doc_id`, or each
    text. Leaves out sentences without words.

    # Parameters

    entries : `Iterable[Dict[str, Any]]`
    by_file : `bool`, optional (default = `False`)
        Whether sentences that follow one another without a `doc_id` are a document, too. By default each is one, so
        that a file of any length can be written.
    """
    numbered = ((number, entry) for number, entry in enumerate(entries) if "error" not in entry)
    for key, group in groupby(numbered, key=lambda pair: _key(pair[0], pair[1], by_file)):
        doc_id = key if isinstance(key, str) else None
        parts = [part for _, entry in group for part in entry.get("sentences", [entry])]
        sentences = [_words_of_sentence(part) for part in parts if part["words"]]
        if sentences:
            text = _text([part for part in parts if part["words"]])
            # What is not all of a document has white space up to the next sentence.
            yield Document(doc_id, sentences, text=text.strip() if text and doc_id is None else text)


def _key(number: int, entry: Object, by_file: bool) -> Union[str, int]:
    if isinstance(entry.get("doc_id"), str):
        return entry["doc_id"]
    return -1 if by_file and "sentence" not in entry else number


def _text(parts: List[Object]) -> Optional[str]:
    """Returns the running text that sentences are parts of, or are themselves, if they are."""
    for name, separator in (("running_text", ""), ("sentence", "\n")):
        if all(name in part for part in parts):
            return separator.join(part[name] for part in parts)
    return None


def _words_of_sentence(part: Object) -> Sentence:
    words: List[str] = part["words"]
    sentence = sentence_from_json({**part, "id": None}, f"the sentence {' '.join(words)!r:.80}")
    if "sentence" not in part:
        return sentence
    text = part["sentence"]
    ends = [offset + len(word) for offset, word in zip(sentence.offsets(text), words, strict=True)]
    # A line end follows the last word.
    return replace(sentence, space_after=[end == len(text) or text[end].isspace() for end in ends])


STANDARD_INPUT = "-"
_ANNOTATION = ("words", "pos", "heads", "dep_labels", "space_after")


class SourceItem(NamedTuple):
    """An item as a `Tagger` takes it, or what is wrong with it, and where it is."""

    location: str
    inputs: Union[str, Dict[str, Any]]
    error: Optional[str] = None


Source = Callable[[str], Iterator[SourceItem]]
"""Yields the items of a file."""


def text_items(path: str) -> Iterator[SourceItem]:
    """Yields each line of a text that is not blank."""
    for line in read_lines(_readable(path)):
        if not line.is_blank:
            yield SourceItem(f"{path}:{line.number}", line.text)


def json_items(path: str) -> Iterator[SourceItem]:
    """Yields each JSON object of a file of JSON lines."""
    for line in read_lines(_readable(path)):
        if line.is_blank:
            continue
        location = f"{path}:{line.number}"
        try:
            yield SourceItem(location, json_object(line._replace(path=path)))
        except (ConfigurationError, RecursionError, ValueError) as error:
            yield SourceItem(location, {}, str(error).removeprefix(f"{location}: "))


def parquet_items(column: str) -> Source:
    """Returns a source of the cells of a column: of texts or of lists of words."""

    def items(path: str) -> Iterator[SourceItem]:
        file = open_parquet(path, Path(cached_path(path)))
        present = file.schema_arrow.names
        if column not in present:
            raise format_error(path, f"the columns {', '.join(present)}", f"a column {column}")
        cells = (cell for batch in read_batches(path, file, [column]) for cell in batch[column].to_pylist())
        for number, cell in enumerate(cells, start=1):
            location = f"{path}: row {number}"
            if isinstance(cell, (str, list)):
                yield SourceItem(location, cell if isinstance(cell, str) else {"words": cell})
            else:
                found = f"{cell!r:.100} in the column {column}"
                yield SourceItem(location, {}, f"found {found}, expected a text, or a list of words")

    return items


def corpus_items(corpus: Union[Corpus, ThreadCorpus], predictor: JsonPredictor) -> Source:
    """
    Returns a source of what a corpus has, without regard to its annotation of entities or links: of threads, of
    documents, where the predictor takes these, or of sentences. Sentences are parsed, where the predictor's reader
    parses files.
    """

    def items(path: str) -> Iterator[SourceItem]:
        if path == STANDARD_INPUT:
            path = _readable(path)
        if isinstance(corpus, ThreadCorpus):
            for thread in corpus.read(path):
                yield SourceItem(thread.location, _without_links(thread))
            return
        reader = predictor.dataset_reader
        if isinstance(reader, AnnotatedTextReader):
            reader.corpus = corpus
            documents = reader.documents(path)
        else:
            documents = corpus.read(path)
        for document in documents:
            doc_id = {} if document.id is None else {"doc_id": document.id}
            sentences = _sentences(document)
            if isinstance(predictor, DocumentNerPredictor):
                location = path if document.id is None else f"{path} (document {document.id})"
                yield SourceItem(location, {**doc_id, "sentences": sentences})
                continue
            for sentence, inputs in zip(document.sentences, sentences, strict=True):
                yield SourceItem(sentence.location, {**doc_id, **inputs})

    return items


def all_items(source: Source, paths: Sequence[str]) -> Iterator[SourceItem]:
    """Yields the items of several files."""
    for path in paths:
        yield from source(path)


def _readable(path: str) -> str:
    return "/dev/stdin" if path == STANDARD_INPUT else path


def _sentences(document: Document) -> List[Dict[str, Any]]:
    """Returns what each sentence has, of a running text also all that is before the next one."""
    sentences = [_sentence(sentence) for sentence in document.sentences]
    if document.text is not None:
        _, *starts = (start for start, _ in document.bounds(document.text))
        for sentence, (start, end) in zip(sentences, pairwise([0, *starts, len(document.text)]), strict=True):
            sentence["running_text"] = document.text[start:end]
    return sentences


def _sentence(sentence: Sentence) -> Dict[str, Any]:
    values = {name: getattr(sentence, name) for name in _ANNOTATION}
    return {name: value for name, value in values.items() if value is not None}


def _without_links(thread: Thread) -> Dict[str, Any]:
    obj = thread_to_json(thread)
    posts: List[Dict[str, Any]] = obj["posts"]
    return {**obj, "posts": [{name: value for name, value in post.items() if name != "links"} for post in posts]}


def default_source(path: str) -> Optional[Source]:
    """Returns the source that the name of a file tells, if it tells one."""
    name = Path(path).name.removesuffix(".gz")
    return {".txt": text_items, ".jsonl": json_items, ".json": json_items}.get(Path(name).suffix)
