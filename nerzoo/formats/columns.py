from itertools import repeat
from typing import Dict, Iterator, List, Optional, Union

from allennlp.common.checks import ConfigurationError

from nerzoo.errors import check_choice, format_error
from nerzoo.formats.corpus import AnnotationWriter, Content, Corpus, TextCorpus, TextWriter, parse_heads, tagged_spans
from nerzoo.formats.lines import Line, split_columns
from nerzoo.text.annotation import (
    Document,
    Entity,
    Sentence,
    check_coding_scheme,
    entities_to_tags,
    layers,
    nested,
    ordered,
)

_MARKER = "-DOCSTART-"
_KINDS = ("word", "pos", "head", "dep_label", "tag")


def _is_document_marker(line: Line, word_column: int, separator: Optional[str]) -> bool:
    """Returns whether the word of a line, its first column, or its text before the first space is `-DOCSTART-`."""
    if _MARKER not in line.text:
        return False
    # A marker line may have fewer columns than others, or spaces where they have another separator.
    (row,), (parts,) = split_columns([line], separator), split_columns([line])
    return _MARKER in (parts[0], row[0], *row[word_column:][:1])


@Corpus.register("columns")
class ColumnsCorpus(TextCorpus):
    """
    Columns: one word per line, its annotation in columns, and a blank line after each sentence, as in the shared tasks
    of CoNLL-2003, WNUT-17 or GermEval-2014. A line with `-DOCSTART-` as its word or in its first column, before or
    after each document, separates documents. Raises `ConfigurationError` where the coding scheme or the notation is
    unknown, or there are several tag columns without a coding scheme.

    # Parameters

    word_column : `int`, optional (default = `0`)
        The column of words. Columns count from 0, or from the right if negative.
    tag_column : `Union[int, List[int]]`, optional (default = `-1`)
        The column of tags. Several columns are layers of nested entities, in any order; entities that two of them
        repeat count once.
    pos_column, head_column, dep_label_column : `int`, optional
        The columns of parts of speech, of heads (positions of words from 1, or 0 for a root), and of dependency labels.
    coding_scheme : `str`, optional (default = `"BIO"`)
        One of `nerzoo.text.annotation.SCHEMES`; `None` where tags do not stand for entities, but are labels of words.
    separator : `str`, optional
        The string between columns; by default, any spaces and tabs.
    tag_notation : `str`, optional (default = `"prefix"`)
        `"prefix"`: tags such as `B-hotel` and `O`; `"suffix"`: tags such as `hotel-B` and `null`, as in MEDIA.
    allow_crossing : `bool`, optional (default = `False`)
        Whether entities of two columns may cross, as two do in the test part of GermEval-2014, and be no error.
    """

    def __init__(
        self,
        word_column: int = 0,
        tag_column: Union[int, List[int]] = -1,
        pos_column: Optional[int] = None,
        head_column: Optional[int] = None,
        dep_label_column: Optional[int] = None,
        coding_scheme: Optional[str] = "BIO",
        separator: Optional[str] = None,
        tag_notation: str = "prefix",
        allow_crossing: bool = False,
    ) -> None:
        check_choice("tag_notation", tag_notation, ("prefix", "suffix"))
        for name, value in (("separator", separator), ("tag_column", tag_column)):
            if value in ("", []):
                raise ConfigurationError(f"found nothing as the {name}, expected something, or null for white space")
        if coding_scheme is not None:
            check_coding_scheme(coding_scheme)
        elif isinstance(tag_column, list):
            raise ConfigurationError("found several tag columns without a coding scheme, expected layers of entities")
        self._word_column = word_column
        self._tag_columns = tag_column if isinstance(tag_column, list) else [tag_column]
        self._pos_column = pos_column
        self._head_column = head_column
        self._dep_label_column = dep_label_column
        self._coding_scheme = coding_scheme
        self._separator = separator
        self._tag_notation = tag_notation
        self._allow_crossing = allow_crossing

    def _is_marker(self, line: Line) -> bool:
        return _is_document_marker(line, self._word_column, self._separator)

    def _sentence(self, lines: List[Line]) -> Sentence:
        rows = split_columns(lines, self._separator)

        def column(index: int) -> List[str]:
            if not -len(rows[0]) <= index < len(rows[0]):
                raise format_error(lines[0], f"{len(rows[0])} columns", f"a column {index}")
            cells = [row[index] for row in rows]
            if "" in cells:
                raise format_error(lines[cells.index("")], f"nothing in column {index}", "a value")
            return cells

        layers = [column(index) for index in self._tag_columns]
        sentence = Sentence(
            words=column(self._word_column),
            pos=None if self._pos_column is None else column(self._pos_column),
            heads=None if self._head_column is None else parse_heads(column(self._head_column), lines),
            dep_labels=None if self._dep_label_column is None else column(self._dep_label_column),
            entities=[],
            id=str(lines[0]),
        )
        if self._coding_scheme is None:
            sentence.tags = layers[0]
            return sentence
        spans: List[Entity] = []
        for tags in layers:
            spans += tagged_spans(tags, lines, self._coding_scheme, self._tag_notation)
        if self._allow_crossing:
            sentence.entities = ordered(spans)
        else:
            sentence.entities = nested(spans, lambda span: lines[span.start], "nested entities, or allow_crossing")
        return sentence


@AnnotationWriter.register("columns")
class ColumnsWriter(TextWriter):
    """
    Columns: one word per line, a blank line after each sentence, and `-DOCSTART-` before each document that has an id;
    see `ColumnsCorpus`. Labels of words stand in the place of tags where a sentence has no entities. Raises
    `ConfigurationError` where the coding scheme or a column is unknown, there is not one column of words, or none of
    tags.

    # Parameters

    columns : `List[str]`, optional (default = `["word", "tag"]`)
        The kinds of columns: `word`, `pos`, `head`, `dep_label` and `tag`. Where a sentence lacks a kind of annotation,
        the column has `_`. Several columns of tags are layers of nested entities, outermost first.
    coding_scheme : `str`, optional (default = `"BIO"`)
        One of `nerzoo.text.annotation.SCHEMES`.
    separator : `str`, optional (default = `" "`)
        The string between columns.
    """

    def __init__(self, columns: Optional[List[str]] = None, coding_scheme: str = "BIO", separator: str = " ") -> None:
        super().__init__()
        check_coding_scheme(coding_scheme)
        self._columns = ["word", "tag"] if columns is None else columns
        once = [self._columns.count(kind) for kind in _KINDS[:-1]]
        if not set(self._columns) <= set(_KINDS) or once[0] != 1 or max(once) > 1 or "tag" not in self._columns:
            expected = f"word, one or more times tag, and perhaps {', '.join(_KINDS[1:-1])}"
            raise ConfigurationError(f"found the columns {self._columns}, expected {expected}")
        self._coding_scheme = coding_scheme
        self._separator = separator
        self.num_layers = self._columns.count("tag")
        self.expresses = frozenset([Content.WORDS, Content.DOCUMENT_BOUNDS, Content.WORD_LABELS])
        self.expresses |= {Content.PARTS_OF_SPEECH} if "pos" in self._columns else set()
        self.expresses |= {Content.TREES} if {"head", "dep_label"} <= set(self._columns) else set()

    def _text(self, document: Document) -> str:
        cells = {"word": _MARKER, "tag": "O"}
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
        # By default, corpora are read with spaces and tabs alike between columns.
        separators = [" ", "\t"] if self._separator == " " else [self._separator]
        for cell in (cell for column in columns for cell in column):
            if not cell or any(character in cell for character in [*separators, "\n", "\r"]):
                expected = f"something without {' and '.join(map(repr, separators))}, or another separator"
                raise format_error(sentence.location, f"{cell!r} in a column", expected)
        rows = [self._separator.join(row) for row in zip(*columns, strict=True)]
        for row in rows:
            if _is_document_marker(Line(sentence.location, 0, row), self._columns.index("word"), self._separator):
                raise format_error(sentence.location, f"the line {row!r}", "another one: it separates documents")
            if row.startswith("\ufeff"):
                raise format_error(sentence.location, f"the line {row!r}", "one without a byte order mark at its start")
        return "\n".join(rows) + "\n\n"

    def _layers(self, sentence: Sentence) -> Iterator[List[str]]:
        length = len(sentence.words)
        if sentence.tags is not None and not sentence.entities:
            yield sentence.tags
        else:
            for entities in layers(sentence.entities):
                yield entities_to_tags(entities, length, self._coding_scheme)
        yield from repeat(["O"] * length)
