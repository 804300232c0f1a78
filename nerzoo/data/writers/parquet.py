import json
from pathlib import Path
from typing import Any, Dict, List, Optional

from nerzoo.data import tag_schemes
from nerzoo.data.annotation import Document, Sentence
from nerzoo.data.lines import format_error
from nerzoo.data.writers import losses
from nerzoo.data.writers.annotation_writer import AnnotationWriter
from nerzoo.extras import extra

_ROWS_IN_A_GROUP = 10_000


@AnnotationWriter.register("parquet")
class ParquetWriter(AnnotationWriter):
    """
    Parquet as the Hugging Face hub keeps corpora, a sentence per row: `doc_id`, `tokens`, `ner_tags` and, if asked for,
    `pos_tags`; see `nerzoo.data.corpora.ParquetCorpus`. Labels of words stand in the place of tags where a sentence has
    no entities. Needs pyarrow: the extra `parquet` of this package.

    # Parameters

    coding_scheme : `str`, optional (default = `"BIO"`)
        One of `nerzoo.data.tag_schemes.SCHEMES`.
    types : `List[str]`, optional
        The labels of entities: tags are then integers, a `ClassLabel` of the library `datasets`. If `None`, tags are
        strings.
    pos : `bool`, optional (default = `False`)
        Whether there is a column of parts of speech; it is null for sentences that have none.

    # Raises

    `ConfigurationError` where the coding scheme is unknown.
    """

    def __init__(self, coding_scheme: str = "BIO", types: Optional[List[str]] = None, pos: bool = False) -> None:
        super().__init__()
        tag_schemes.check_coding_scheme(coding_scheme)
        self._coding_scheme = coding_scheme
        self._tags: Optional[List[str]] = None
        if types is not None:
            prefixes = dict.fromkeys(tag_schemes.SCHEMES[coding_scheme])
            self._tags = ["O", *(f"{prefix}-{label}" for label in types for prefix in prefixes)]
        self._pos = pos
        self.expresses = frozenset([losses.WORDS, losses.DOCUMENT_BOUNDS, losses.DOCUMENT_IDS])
        self.expresses |= {losses.PARTS_OF_SPEECH} if pos else set()
        self.expresses |= {losses.WORD_LABELS} if types is None else set()

    def close(self) -> None:
        self._write_rows()
        self._writer.close()

    def _open(self, path: Path) -> None:
        with extra("parquet", ", which writes Parquet"):
            import pyarrow
            from pyarrow.parquet import ParquetWriter as PyarrowWriter
        strings = pyarrow.list_(pyarrow.string())
        columns = {
            "doc_id": pyarrow.string(),
            "tokens": strings,
            **({"pos_tags": strings} if self._pos else {}),
            "ner_tags": strings if self._tags is None else pyarrow.list_(pyarrow.int64()),
        }
        metadata = {"huggingface": json.dumps({"info": {"features": self._features(list(columns))}})}
        self._schema = pyarrow.schema(columns, metadata=metadata)
        self._new_table = pyarrow.Table.from_pylist
        self._writer = PyarrowWriter(path, self._schema)
        self._rows: List[Dict[str, Any]] = []

    def _features(self, columns: List[str]) -> Dict[str, Any]:
        string = {"dtype": "string", "_type": "Value"}
        tag = string if self._tags is None else {"names": self._tags, "_type": "ClassLabel"}
        features: Dict[str, Any] = {column: {"feature": string, "_type": "Sequence"} for column in columns}
        return {**features, "doc_id": string, "ner_tags": {"feature": tag, "_type": "Sequence"}}

    def _write(self, document: Document) -> None:
        for sentence in document.sentences:
            row = {"doc_id": document.id, "tokens": sentence.words, "ner_tags": self._tags_of(sentence)}
            self._rows.append({**row, "pos_tags": sentence.pos} if self._pos else row)
            if len(self._rows) == _ROWS_IN_A_GROUP:
                self._write_rows()

    def _write_rows(self) -> None:
        self._writer.write_table(self._new_table(self._rows, schema=self._schema))
        self._rows = []

    def _tags_of(self, sentence: Sentence) -> List[Any]:
        if sentence.tags is not None and not sentence.entities and self._tags is None:
            return sentence.tags
        entities = tag_schemes.layer(sentence.entities, "outermost")
        tags = tag_schemes.entities_to_tags(entities, len(sentence.words), self._coding_scheme)
        if self._tags is None:
            return tags
        for tag in tags:
            if tag not in self._tags:
                types = dict.fromkeys(known.partition("-")[2] for known in self._tags[1:])
                raise format_error(sentence.location, f"the tag {tag!r}", f"one of the types {', '.join(types)}")
        return [self._tags.index(tag) for tag in tags]
