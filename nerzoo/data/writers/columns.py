from typing import Dict, Iterator, List, Optional

from allennlp.common.checks import ConfigurationError

from nerzoo.data import tag_schemes
from nerzoo.data.annotation import Document, Sentence
from nerzoo.data.corpora.columns import DOCUMENT_MARKER, is_document_marker
from nerzoo.data.lines import Line, format_error
from nerzoo.data.writers.annotation_writer import AnnotationWriter
from nerzoo.data.writers.losses import DOCUMENT_BOUNDS, PARTS_OF_SPEECH, TREES, WORD_LABELS, WORDS
from nerzoo.data.writers.text_writer import TextWriter

_KINDS = ("word", "pos", "head", "dep_label", "tag")


@AnnotationWriter.register("columns")
class ColumnsWriter(TextWriter):
    """
    Columns: one word per line, a blank line after each sentence, and `-DOCSTART-` before each document that has an id;
    see `nerzoo.data.corpora.ColumnsCorpus`. Labels of words stand in the place of tags where a sentence has no
    entities.

    # Parameters

    columns : `List[str]`, optional (default = `["word", "tag"]`)
        What the columns have: `word`, `pos`, `head`, `dep_label` and `tag`; `_` where a sentence does not have it.
        Several columns of tags are layers of nested entities, outermost first.
    coding_scheme : `str`, optional (default = `"BIO"`)
        One of `nerzoo.data.tag_schemes.SCHEMES`.
    separator : `str`, optional (default = `" "`)
        The string between columns.

    # Raises

    `ConfigurationError` where the coding scheme or a column is unknown, there is not one column of words, or none of
    tags.
    """

    def __init__(self, columns: Optional[List[str]] = None, coding_scheme: str = "BIO", separator: str = " ") -> None:
        super().__init__()
        tag_schemes.check_coding_scheme(coding_scheme)
        self._columns = ["word", "tag"] if columns is None else columns
        once = [self._columns.count(kind) for kind in _KINDS[:-1]]
        if not set(self._columns) <= set(_KINDS) or once[0] != 1 or max(once) > 1 or "tag" not in self._columns:
            expected = f"word, one or more times tag, and perhaps {', '.join(_KINDS[1:-1])}"
            raise ConfigurationError(f"found the columns {self._columns}, expected {expected}")
        self._coding_scheme = coding_scheme
        self._separator = separator
        self.num_layers = self._columns.count("tag")
        self.expresses = frozenset([WORDS, DOCUMENT_BOUNDS, WORD_LABELS])
        self.expresses |= {PARTS_OF_SPEECH} if "pos" in self._columns else set()
        self.expresses |= {TREES} if {"head", "dep_label"} <= set(self._columns) else set()

    def _text(self, document: Document) -> str:
        cells = {"word": DOCUMENT_MARKER, "tag": "O"}
        marker = self._separator.join(cells.get(kind, "_") for kind in self._columns) + "\n\n"
        return marker * (document.id is not None) + "".join(map(self._sentence, document.sentences))

    def _sentence(self, sentence: Sentence) -> str:
        values: Dict[str, Optional[List[str]]] = {
            "word": sentence.words,
            "pos": sentence.pos,
            "head": None if sentence.heads is None else list(map(str, sentence.heads)),
            "dep_label": sentence.dep_labels,
        }
        layers = self._layers(sentence)
        missing = ["_"] * len(sentence.words)
        columns = [next(layers) if kind == "tag" else values[kind] or missing for kind in self._columns]
        for cell in (cell for column in columns for cell in column):
            self._check(cell, sentence)
        rows = [self._separator.join(row) for row in zip(*columns, strict=True)]
        for row in rows:
            if is_document_marker(Line(sentence.location, 0, row), self._columns.index("word"), self._separator):
                raise format_error(sentence.location, f"the line {row!r}", "another one: it separates documents")
        return "\n".join(rows) + "\n\n"

    def _layers(self, sentence: Sentence) -> Iterator[List[str]]:
        length = len(sentence.words)
        if sentence.tags is not None and not sentence.entities:
            yield sentence.tags
        else:
            for entities in tag_schemes.layers(sentence.entities):
                yield tag_schemes.entities_to_tags(entities, length, self._coding_scheme)
        while True:
            yield ["O"] * length

    def _check(self, cell: str, sentence: Sentence) -> None:
        # Corpora are read with spaces and tabs alike between columns, unless told otherwise.
        separators = [" ", "\t"] if self._separator == " " else [self._separator]
        if not cell or any(character in cell for character in [*separators, "\n", "\r"]):
            expected = f"something without {' and '.join(map(repr, separators))}, or another separator"
            raise format_error(sentence.location, f"{cell!r} in a column", expected)
