"""
The base classes of formats, a `Corpus` to read documents and an `AnnotationWriter` to write them, and the notations of
entities and trees that formats share.
"""

import logging
import re
from collections import Counter, defaultdict
from enum import StrEnum
from itertools import chain, groupby, islice
from pathlib import Path
from typing import Callable, Dict, FrozenSet, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from allennlp.common import Registrable

from nerzoo.errors import format_error
from nerzoo.files import check_is_new, digest, written_whole
from nerzoo.formats.lines import AnyPath, Line, blocks, json_objects, read_lines
from nerzoo.text.annotation import (
    SCHEMES,
    Document,
    Entity,
    Sentence,
    is_well_formed,
    layers,
    nested,
    prefixed,
    tags_to_entities,
)

logger = logging.getLogger(__name__)


class Corpus(Registrable):
    """The base class of file formats: turns a file into documents. Subclasses implement `_documents`."""

    def read(self, path: AnyPath) -> Iterator[Document]:
        """
        Yields the documents of a file: a local path or a URL, perhaps gzipped. Logs at the end what was left out or
        adapted, and how many documents have the id of an earlier one. Raises `ConfigurationError`, with file and line,
        where the file is not in the format or has no sentence.
        """
        counts: Counter = Counter()
        ids: List[str] = []
        document = None
        for document in self._documents(path, counts):
            if document.id is not None:
                ids.append(document.id)
            yield document
        if document is None:
            raise format_error(path, "no sentence", "at least one")
        if num_repeated := len(ids) - len(set(ids)):
            logger.warning("%s: found %d documents with the id of an earlier one; each is kept", path, num_repeated)
        log_counts(path, counts)

    def _documents(self, path: AnyPath, counts: Counter) -> Iterator[Document]:
        """Yields the documents, none of them empty. Counts, by its description, what it leaves out or adapts."""
        raise NotImplementedError


ENDINGS = {
    "brat": ".ann",
    "columns": ".txt",
    "text": ".txt",
    "conllu": ".conllu",
    "genia": ".xml",
    "html": ".html",
    "jsonl": ".jsonl",
    "doccano": ".jsonl",
    "prodigy": ".jsonl",
    "label_studio": ".json",
    "parquet": ".parquet",
    "spacy": ".spacy",
}
"""The endings of files in formats that have one. An ending of several formats stands for the first one."""


def format_of_ending(path: AnyPath) -> Optional[str]:
    """Returns the name of the format that the ending of a file's name tells, if any."""
    ending = Path(str(path).removesuffix(".gz")).suffix
    return next((name for name, known in ENDINGS.items() if known == ending), None)


def format_name(path: AnyPath) -> str:
    """
    Returns the name of the format of an annotated file by the ending of its name, by default `columns`, and of JSON
    lines by the first one. Raises `ConfigurationError` where this cannot be read.
    """
    name = format_of_ending(path) or "columns"
    if name == "jsonl":
        _, first = next(json_objects(read_lines(path)), (None, {}))
        return "prodigy" if {"text", "tokens"} <= first.keys() and "words" not in first else name
    return name


def log_counts(path: AnyPath, counts: Counter) -> None:
    """Logs what the reader of a file has left out or adapted."""
    mentioned = ", ".join(f"{count} {what}" for what, count in sorted(counts.items()) if count)
    if mentioned:
        logger.info("%s: left out or adapted: %s", path, mentioned)


class TextCorpus(Corpus):
    """
    The base class of line-based formats: one word per line, a blank line after each sentence, and marker lines that
    separate documents. Line-based formats of another structure override `_parse`. Documents without an id are numbered,
    from 1 in each file.
    """

    def _documents(self, path: AnyPath, counts: Counter) -> Iterator[Document]:
        documents = self._parse(read_lines(path), counts)
        beginning = list(islice(documents, 2))
        # A marker line separates even a single document from an empty one.
        has_bounds = len(beginning) == 2
        with_sentences = (document for document in chain(beginning, documents) if document.sentences)
        for number, document in enumerate(with_sentences, start=1):
            if has_bounds and document.id is None:
                document.id = str(number)
            yield document

    def _parse(self, lines: Iterator[Line], counts: Counter) -> Iterator[Document]:
        """Yields the documents, empty ones too. Counts as `_documents` does."""
        document = Document()
        for is_marker, group in groupby(lines, key=self._is_marker):
            if is_marker:
                yield document
                *_, id = map(self._document_id, group)
                document = Document(id)
            else:
                document.sentences.extend(map(self._sentence, blocks(group)))
        yield document

    def _is_marker(self, line: Line) -> bool:
        """Returns whether a line separates documents."""
        return line.text.startswith("#")

    def _document_id(self, marker: Line) -> Optional[str]:
        """Returns the id of the document that follows a marker line."""
        return None

    def _sentence(self, lines: List[Line]) -> Sentence:
        """Returns the sentence in `lines`, none of which is blank."""
        raise NotImplementedError


class DataFacts(NamedTuple):
    """Facts about a data set: the name and SHA-256 of its file and, for a `Corpus`, the numbers of its contents."""

    name: str
    sha256: str
    num_documents: Optional[int] = None
    num_sentences: Optional[int] = None
    num_words: Optional[int] = None
    labels: Counter = Counter()


def data_facts(path: Path, corpus: Optional[Corpus]) -> DataFacts:
    """Computes facts, with numbers if `corpus` is given. The hash of a folder covers names and bytes of its files."""
    sha256 = digest(path)
    if corpus is None:
        return DataFacts(path.name, sha256)
    num_documents = num_sentences = num_words = 0
    labels: Counter = Counter()
    for document in corpus.read(path):
        num_documents += 1
        for sentence in document.sentences:
            num_sentences += 1
            num_words += len(sentence.words)
            labels.update(entity.label for entity in sentence.entities)
    return DataFacts(path.name, sha256, num_documents, num_sentences, num_words, labels)


class Content(StrEnum):
    """The contents of documents that an output format may be unable to express."""

    DOCUMENT_BOUNDS = "documents' bounds"
    DOCUMENT_IDS = "documents' ids"
    OFFSETS = "documents' offsets in characters"
    WORDS = "sentences' bounds and words"
    SPACES = "sentences' spaces"
    PARTS_OF_SPEECH = "sentences' parts of speech"
    TREES = "sentences' trees"
    WORD_LABELS = "sentences' labels of words"
    NESTED_ENTITIES = "nested entities"
    PROBABILITIES = "entities' probabilities"


TREEBANK = frozenset(Content) - {Content.OFFSETS, Content.WORD_LABELS, Content.NESTED_ENTITIES, Content.PROBABILITIES}
"""The contents that a format of treebanks expresses."""


class AnnotationWriter(Registrable):
    """
    The base class of output formats: writes documents, one after another, to a file or a folder, one at a time:

        with writer.open("output.conllu"):
            for document in documents:
                writer.write(document)
        print(writer.lost())

    Contents that a format cannot express are left out, and counted in `losses` by their `Content`.
    """

    expresses: FrozenSet[Content] = frozenset()
    """The contents that the format can express."""

    num_layers: int = 1
    """The number of layers of nested entities that the format has room for, if it cannot express all."""

    folder_endings: Tuple[str, ...] = ()
    """The endings of the files for each document, where the format is a folder."""

    def __init__(self) -> None:
        self.losses: Counter = Counter()

    def open(self, path: AnyPath) -> "AnnotationWriter":
        """Begins an output, which leaving the context closes. Raises `ConfigurationError` where the path exists."""
        check_is_new(path)
        self._open(Path(path))
        return self

    def write(self, document: Document) -> None:
        """Writes a document. Raises `ConfigurationError` where a word or a label would be read as something else."""
        self._count_losses(document)
        self._write(document)

    def close(self) -> None:
        """Ends the output."""
        raise NotImplementedError

    def write_all(self, documents: Iterable[Document], path: AnyPath) -> None:
        """Writes documents, all or nothing: an output that exists is complete. Errors as in `open` and `write`."""
        check_is_new(path)
        with written_whole(path) as unfinished, self.open(unfinished):
            for document in documents:
                self.write(document)

    def lost(self) -> str:
        """Returns the losses so far, such as `12 nested entities, 3 sentences' trees`."""
        return ", ".join(f"{count} {what}" for what, count in self.losses.items())

    def __enter__(self) -> "AnnotationWriter":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _count_losses(self, document: Document) -> None:
        counts: Counter = Counter()
        if document.id is not None:
            counts[Content.DOCUMENT_BOUNDS] += 1
            # A number says no more than the position of the document.
            counts[Content.DOCUMENT_IDS] += not document.id.isdecimal()
        if document.text is not None:
            # Offsets are lost unless the text is that of the sentences, one per line.
            lines = "\n".join(sentence.text for sentence in document.sentences)
            counts[Content.OFFSETS] += re.sub(r"\s", " ", document.text.rstrip()) != re.sub(r"\s", " ", lines)
        for sentence in document.sentences:
            has_labels = sentence.tags is not None and sentence.coding_scheme is None and not sentence.entities
            counts[Content.WORDS] += 1
            counts[Content.SPACES] += sentence.space_after is not None and not all(sentence.space_after[:-1])
            counts[Content.PARTS_OF_SPEECH] += sentence.pos is not None
            counts[Content.TREES] += sentence.heads is not None
            counts[Content.WORD_LABELS] += has_labels
            counts[Content.NESTED_ENTITIES] += sum(map(len, layers(sentence.entities)[self.num_layers :]))
            counts[Content.PROBABILITIES] += len(sentence.probabilities or [])
        self.losses.update({what: count for what, count in counts.items() if count and what not in self.expresses})

    def _open(self, path: Path) -> None:
        raise NotImplementedError

    def _write(self, document: Document) -> None:
        raise NotImplementedError


class TextWriter(AnnotationWriter):
    """The base class of formats that are a UTF-8 text file. Subclasses implement `_text`."""

    # Before the first document, between documents, and after the last one.
    beginning: str = ""
    separator: str = ""
    end: str = ""

    def text(self, document: Document) -> str:
        """Returns the text of a document. Counts losses and raises errors as `write` does."""
        self._count_losses(document)
        return self._text(document)

    def close(self) -> None:
        if not self._file.closed:
            self._file.write(self.end)
            self._file.close()

    def _open(self, path: Path) -> None:
        self._file = path.open("x", encoding="utf-8", newline="\n")
        self._file.write(self.beginning)
        self._is_first = True

    def _write(self, document: Document) -> None:
        self._file.write(("" if self._is_first else self.separator) + self._text(document))
        self._is_first = False

    def _text(self, document: Document) -> str:
        raise NotImplementedError


_BRACKET = re.compile(r"(\()?([^()|]*)(\))?")


def tagged_spans(
    tags: Sequence[str], locations: Sequence[object], coding_scheme: str, notation: str = "prefix"
) -> List[Entity]:
    """Reads tags in a `notation` as `tags_to_entities` does. Raises `ConfigurationError` for one of another scheme."""
    outside, read_as = "O", tags
    if notation == "suffix":
        outside, read_as = "null", [prefixed(tag) for tag in tags]
    for tag, known, location in zip(tags, read_as, locations, strict=True):
        if not is_well_formed(known, coding_scheme):
            prefixes = ", ".join(sorted(set(SCHEMES[coding_scheme])))
            expected = f"{outside}, or one of {prefixes} with a label: {coding_scheme}"
            raise format_error(location, f"the tag {tag!r}", expected)
    return tags_to_entities(read_as, coding_scheme)


def bracketed_spans(cells: Sequence[str], locations: Sequence[object], name: Callable[[str], str]) -> List[Entity]:
    """
    Reads the brackets of a sentence, which may be nested: for each word, any number of `(body`, `(body)` and `name)`,
    with or without `|` between them. `name` returns the name in the body of an opening bracket; a closing bracket
    closes the innermost open bracket of its name. The bodies of opening brackets become labels. Raises
    `ConfigurationError`, at the location of a word, where a bracket has no counterpart in the sentence, or spans cross.
    """
    spans: List[Entity] = []
    unclosed: Dict[str, List[Tuple[int, str]]] = defaultdict(list)
    for position, cell in enumerate(cells):
        for opening, body, closing in _BRACKET.findall(cell):
            if opening and body:
                unclosed[name(body)].append((position, body))
            elif opening or (body and not closing):
                raise format_error(locations[position], repr(cell), "brackets such as '(A', '(A)' or 'A)'")
            if closing:
                if not unclosed[name(body)]:
                    found = f"the closing bracket {body + ')'!r}"
                    raise format_error(locations[position], found, "an opening one before it")
                start, body = unclosed[name(body)].pop()
                spans.append(Entity(start, position + 1, body))
    for start, body in sorted(chain.from_iterable(unclosed.values())):
        found = f"the opening bracket {'(' + body!r}"
        raise format_error(locations[start], found, "a closing one in the same sentence")
    return nested(spans, lambda span: locations[span.start])


def parse_heads(cells: Sequence[str], locations: Sequence[object]) -> Optional[List[int]]:
    """Reads a column of heads and checks it by `check_tree`. Returns `None` where all cells are `_`: not annotated."""
    if all(cell == "_" for cell in cells):
        return None
    return check_tree([int(cell) if cell.isdecimal() and len(cell) < 10 else cell for cell in cells], locations)


def check_tree(heads: Sequence[object], locations: Sequence[object]) -> List[int]:
    """Returns heads from 1 to T, 0 for a root. Raises `ConfigurationError` for other values, no root, or a cycle."""
    tree: List[int] = []
    for head, location in zip(heads, locations, strict=True):
        if type(head) is not int or not 0 <= head <= len(heads):
            raise format_error(location, f"the head {head!r}", f"an integer from 0 to {len(heads)}")
        tree.append(head)
    if 0 not in tree:
        raise format_error(locations[0], "a sentence without a root", "at least one head of 0")
    rooted = {0}
    for word in range(1, len(tree) + 1):
        # The words on the path to a root, in order, each with its head.
        path: Dict[int, int] = {}
        while word not in rooted:
            if word in path:
                way = [*path, word]
                cycle = " -> ".join(map(str, way[way.index(word) :]))
                raise format_error(locations[word - 1], f"the cycle of heads {cycle}", "a tree")
            path[word] = tree[word - 1]
            word = path[word]
        rooted.update(path)
    return tree
