import hashlib
import logging
from collections import Counter
from itertools import chain, groupby, islice
from pathlib import Path
from typing import Iterator, List, NamedTuple, Optional

from allennlp.common import Registrable

from nerzoo.errors import format_error
from nerzoo.formats.lines import AnyPath, Line, blocks, read_lines
from nerzoo.text.annotation import Document, Sentence

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


def format_name(path: AnyPath) -> str:
    """Returns the name of the format that the ending of a file's name tells, of columns if it tells none."""
    ending = Path(str(path).removesuffix(".gz")).suffix
    return {".conllu": "conllu", ".jsonl": "jsonl", ".parquet": "parquet", ".xml": "genia"}.get(ending, "columns")


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
    digest = hashlib.sha256()
    for file in [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file()):
        if file != path:
            digest.update(file.relative_to(path).as_posix().encode())
        with file.open("rb") as opened:
            hashlib.file_digest(opened, lambda: digest)
    if corpus is None:
        return DataFacts(path.name, digest.hexdigest())
    num_documents = num_sentences = num_words = 0
    labels: Counter = Counter()
    for document in corpus.read(path):
        num_documents += 1
        for sentence in document.sentences:
            num_sentences += 1
            num_words += len(sentence.words)
            labels.update(entity.label for entity in sentence.entities)
    return DataFacts(path.name, digest.hexdigest(), num_documents, num_sentences, num_words, labels)
