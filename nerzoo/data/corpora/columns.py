from itertools import chain
from typing import List, Optional, Union

from allennlp.common.checks import ConfigurationError

from nerzoo.data import tag_schemes
from nerzoo.data.annotation import Entity, Sentence
from nerzoo.data.corpora.corpus import Corpus
from nerzoo.data.corpora.spans import tagged_spans
from nerzoo.data.corpora.text_corpus import TextCorpus
from nerzoo.data.corpora.trees import parse_heads
from nerzoo.data.lines import Line, format_error, split_columns
from nerzoo.data.nesting import nested, ordered

DOCUMENT_MARKER = "-DOCSTART-"


def is_document_marker(line: Line, word_column: int, separator: Optional[str]) -> bool:
    """Returns whether the word of a line, its first column, or what is before its first space, is `-DOCSTART-`."""
    if DOCUMENT_MARKER not in line.text:
        return False
    # A marker line may have fewer columns than others, or spaces where they have another separator.
    (row,), (parts,) = split_columns([line], separator), split_columns([line])
    return DOCUMENT_MARKER in (parts[0], row[0], *row[word_column:][:1])


@Corpus.register("columns")
class ColumnsCorpus(TextCorpus):
    """
    Columns: one word per line, its annotation in columns, and a blank line after each sentence, as in the shared tasks
    of CoNLL-2003, WNUT-17 or GermEval-2014. A line with `-DOCSTART-` as its word or in its first column, such as
    `-DOCSTART- -X- O O`, separates documents, whether the corpus has it before or after each document.

    # Parameters

    word_column : `int`, optional (default = `0`)
        The column of words. Columns count from 0, or from the right if negative.
    tag_column : `Union[int, List[int]]`, optional (default = `-1`)
        The column of tags. Several columns are layers of nested entities, in any order; entities that two of them
        repeat count once.
    pos_column : `int`, optional
        The column of part-of-speech tags.
    head_column : `int`, optional
        The column of heads: positions of words, counted from 1, and 0 for a root.
    dep_label_column : `int`, optional
        The column of dependency labels.
    coding_scheme : `str`, optional (default = `"BIO"`)
        One of `nerzoo.data.tag_schemes.SCHEMES`; `None` where tags do not stand for entities, but are labels of words.
    separator : `str`, optional
        The string between columns; by default, any spaces and tabs.
    tag_notation : `str`, optional (default = `"prefix"`)
        `"prefix"`: tags such as `B-hotel` and `O`; `"suffix"`: tags such as `hotel-B` and `null`, as in MEDIA.
    allow_crossing : `bool`, optional (default = `False`)
        Whether entities of two columns may cross, as two do in the test part of GermEval-2014: each has a word of the
        other and one that the other has not. All of them are read, and count in scores; by default they are an error.

    # Raises

    `ConfigurationError` where the coding scheme or the notation is unknown, or there are several tag columns without a
    coding scheme.
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
        if tag_notation not in ("prefix", "suffix"):
            raise ConfigurationError(f"found the tag_notation {tag_notation!r}, expected 'prefix' or 'suffix'")
        if separator == "" or tag_column == []:
            empty = "separator" if separator == "" else "tag_column"
            raise ConfigurationError(f"found nothing as the {empty}, expected something, or null for white space")
        if coding_scheme is not None:
            tag_schemes.check_coding_scheme(coding_scheme)
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
        return is_document_marker(line, self._word_column, self._separator)

    def _sentence(self, lines: List[Line]) -> Sentence:
        rows = split_columns(lines, self._separator)

        def column(index: int) -> List[str]:
            if not -len(rows[0]) <= index < len(rows[0]):
                raise format_error(lines[0], f"{len(rows[0])} columns", f"a column {index}")
            cells = [row[index] for row in rows]
            if "" in cells:
                raise format_error(lines[cells.index("")], f"nothing in column {index}", "a value")
            return cells

        def optional_column(index: Optional[int]) -> Optional[List[str]]:
            return None if index is None else column(index)

        heads = optional_column(self._head_column)
        layers = [column(index) for index in self._tag_columns]
        return Sentence(
            words=column(self._word_column),
            pos=optional_column(self._pos_column),
            heads=None if heads is None else parse_heads(heads, lines),
            dep_labels=optional_column(self._dep_label_column),
            tags=layers[0] if self._coding_scheme is None else None,
            entities=self._entities(layers, lines),
            id=str(lines[0]),
        )

    def _entities(self, layers: List[List[str]], lines: List[Line]) -> List[Entity]:
        if self._coding_scheme is None:
            return []
        spans = chain.from_iterable(
            tagged_spans(tags, lines, self._coding_scheme, self._tag_notation) for tags in layers
        )
        if self._allow_crossing:
            return ordered(spans)
        return nested(spans, lambda entity: lines[entity.start], "nested entities, or allow_crossing")
