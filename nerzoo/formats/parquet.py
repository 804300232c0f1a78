import json
import re
from collections import Counter
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Tuple

from allennlp.common.checks import ConfigurationError

from nerzoo.errors import extra, format_error
from nerzoo.files import parse_json
from nerzoo.formats.corpus import AnnotationWriter, Content, Corpus, tagged_spans
from nerzoo.formats.lines import AnyPath, check_words, document_id, folder_files, local_path
from nerzoo.text.annotation import Document, Sentence, all_tags, check_coding_scheme, entities_to_tags, layer

if TYPE_CHECKING:
    from pyarrow import RecordBatch, Schema
    from pyarrow.parquet import ParquetFile

_DATASET = re.compile(r"hf://datasets/(?P<repo_id>[^/]+/[^/@]+)(?:@(?P<revision>[^/]+))?/(?P<filename>.+)")
_DOCUMENT_COLUMN = "doc_id"
_ROWS_IN_A_GROUP = 10_000


@Corpus.register("parquet")
class ParquetCorpus(Corpus):
    """
    Parquet as the Hugging Face hub keeps corpora: a sentence per row, with its words and their tags in two columns of
    lists. Tags are strings, or integers whose names the file has in its `huggingface` metadata, as a `ClassLabel`.
    Consecutive sentences with the same `doc_id`, if there is such a column, are a document.

    A path may be a file, a folder of `*.parquet` files, a URL, or `hf://datasets/OWNER/NAME/PATH`, a file of a data set
    on the hub; `NAME@REVISION` names a version of it. Needs pyarrow: the extra `parquet` of this package. Raises
    `ConfigurationError` where the coding scheme is unknown; on reading, where pyarrow is missing, the file is not
    Parquet or lacks a column, or a row has no words, an unknown tag, or another number of tags than words.

    # Parameters

    token_column, tag_column, pos_column : `str`, optional (default = `"tokens"`, `"ner_tags"` and `None`)
        The columns of words, of tags, `None` where a file has only words, and of parts of speech.
    coding_scheme : `str`, optional (default = `"BIO"`)
        One of `nerzoo.text.annotation.SCHEMES`; `None` where tags do not stand for entities, but are labels of words.
    tag_names : `List[str]`, optional
        The tags that integers stand for, where the file does not name them.
    """

    def __init__(
        self,
        token_column: str = "tokens",
        tag_column: Optional[str] = "ner_tags",
        pos_column: Optional[str] = None,
        coding_scheme: Optional[str] = "BIO",
        tag_names: Optional[List[str]] = None,
    ) -> None:
        if coding_scheme is not None:
            check_coding_scheme(coding_scheme)
        if tag_names == []:
            raise ConfigurationError("found no tag_names, expected some, or null")
        self._columns = {"words": token_column, "tags": tag_column, "pos": pos_column}
        self._coding_scheme = coding_scheme
        self._tag_names = tag_names

    def _documents(self, path: AnyPath, counts: Counter) -> Iterator[Document]:
        for id, pairs in groupby(self._sentences(path), key=itemgetter(0)):
            yield Document(id, [sentence for _, sentence in pairs])

    def _sentences(self, path: AnyPath) -> Iterator[Tuple[Any, Sentence]]:
        """Yields each sentence with the id of its document."""
        columns = {kind: column for kind, column in self._columns.items() if column is not None}
        for name, file in _files(path):
            table = open_parquet(name, file)
            present = table.schema_arrow.names
            for column in columns.values():
                if present.count(column) != 1:
                    raise format_error(name, f"the columns {', '.join(present)}", f"a column {column}, once")
            names = {kind: _class_names(name, table.schema_arrow, column) for kind, column in columns.items()}
            if self._tag_names is not None:
                names["tags"] = self._tag_names
            read = {*columns.values(), _DOCUMENT_COLUMN} & set(present)
            rows = (row for batch in read_batches(name, table, list(read)) for row in batch.to_pylist())
            for number, row in enumerate(rows, start=1):
                location = f"{name}: row {number}"
                words = check_words(row[columns["words"]], location)
                annotation: Dict[str, Any] = {
                    kind: _named(row[columns[kind]], names[kind], len(words), f"{location}, column {columns[kind]}")
                    for kind in ("tags", "pos")
                    # Not every sentence may have parts of speech.
                    if kind in columns and (kind == "tags" or row[columns[kind]] is not None)
                }
                if "tags" in annotation and self._coding_scheme is not None:
                    locations = [location] * len(words)
                    annotation["entities"] = tagged_spans(annotation.pop("tags"), locations, self._coding_scheme)
                yield document_id(row, _DOCUMENT_COLUMN, location), Sentence(words, id=location, **annotation)


def _named(values: Any, names: Optional[List[str]], length: int, location: str) -> List[str]:
    """Returns the values of a cell as strings."""
    if not isinstance(values, list) or len(values) != length:
        raise format_error(location, repr(values), f"a list of {length}, one for each word")
    if names is None:
        if not all(isinstance(value, str) for value in values):
            expected = "strings, or numbers with their names in the file or in tag_names"
            raise format_error(location, repr(values), expected)
        return values
    for value in values:
        if type(value) is not int or not 0 <= value < len(names):
            raise format_error(location, repr(value), f"a number from 0 to {len(names) - 1}")
    return [names[value] for value in values]


def _class_names(file_name: str, schema: "Schema", column: str) -> Optional[List[str]]:
    """Returns the names of a column's integers in the metadata of the library `datasets`, if there are names."""
    try:
        metadata = parse_json((schema.metadata or {}).get(b"huggingface", b"{}").decode())
        feature = metadata.get("info", {}).get("features", {}).get(column)
        # A list is {"feature": ..., "_type": "Sequence"} or, since datasets 4, "List"; before, also [...].
        while feature and "names" not in feature:
            feature = feature[0] if isinstance(feature, list) else feature.get("feature")
        names = feature["names"] if feature else None
        if names is not None and (not isinstance(names, list) or not all(isinstance(name, str) for name in names)):
            raise TypeError(names)
        return names
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        found = f"metadata that cannot be read ({type(error).__name__})"
        raise format_error(file_name, found, "metadata as the library `datasets` writes them") from None


def _files(path: AnyPath) -> List[Tuple[str, Path]]:
    """Returns the files of a path, each with its name for error messages."""
    dataset = _DATASET.fullmatch(str(path))
    if dataset:
        # AllenNLP's cached_path knows only models of the hub, not data sets.
        from huggingface_hub import hf_hub_download

        repo_id, revision, filename = dataset.groups()
        return [(str(path), Path(hf_hub_download(repo_id, filename, revision=revision, repo_type="dataset")))]
    cached = Path(local_path(path))
    return [(str(f), f) for f in folder_files(cached, "*.parquet")] if cached.is_dir() else [(str(path), cached)]


def open_parquet(name: str, file: Path) -> "ParquetFile":
    """Opens a file, which errors call `name`. Raises `ConfigurationError` without pyarrow, or for another format."""
    with extra("parquet", ", which reads Parquet"):
        from pyarrow.lib import ArrowException
        from pyarrow.parquet import ParquetFile
    try:
        return ParquetFile(file)
    except (ArrowException, OSError) as error:
        raise format_error(name, f"a file of another format ({error})", "Parquet") from None


def read_batches(name: str, file: "ParquetFile", columns: List[str]) -> Iterator["RecordBatch"]:
    """Yields the rows of a file in batches. Raises `ConfigurationError` where a part of the file is damaged."""
    from pyarrow.lib import ArrowException

    try:
        for batch in file.iter_batches(1024, columns=columns):
            batch.validate(full=True)
            yield batch
    except (ArrowException, OSError) as error:
        raise format_error(name, f"a file that cannot be read ({error})", "Parquet") from None


@AnnotationWriter.register("parquet")
class ParquetWriter(AnnotationWriter):
    """
    Parquet as the Hugging Face hub keeps corpora, a sentence per row: `doc_id`, `tokens`, `ner_tags` and, with `pos`,
    `pos_tags`; see `ParquetCorpus`. Labels of words stand in the place of tags where a sentence has no entities. Needs
    pyarrow: the extra `parquet` of this package. Raises `ConfigurationError` where the coding scheme is unknown.

    # Parameters

    coding_scheme : `str`, optional (default = `"BIO"`)
        One of `nerzoo.text.annotation.SCHEMES`.
    types : `List[str]`, optional
        The labels of entities: tags are then integers, a `ClassLabel` of the library `datasets`, not strings.
    pos : `bool`, optional (default = `False`)
        Whether there is a column of parts of speech; it is null for sentences that have none.
    """

    def __init__(self, coding_scheme: str = "BIO", types: Optional[List[str]] = None, pos: bool = False) -> None:
        super().__init__()
        check_coding_scheme(coding_scheme)
        self._coding_scheme = coding_scheme
        self._tags = None if types is None else all_tags(types, coding_scheme)
        self._pos = pos
        self.expresses = frozenset([Content.WORDS, Content.DOCUMENT_BOUNDS, Content.DOCUMENT_IDS])
        self.expresses |= {Content.PARTS_OF_SPEECH} if pos else set()
        self.expresses |= {Content.WORD_LABELS} if types is None else set()

    def close(self) -> None:
        self._write_rows()
        self._writer.close()

    def _open(self, path: Path) -> None:
        with extra("parquet", ", which writes Parquet"):
            import pyarrow
            from pyarrow.parquet import ParquetWriter as PyarrowWriter
        strings = pyarrow.list_(pyarrow.string())
        columns = {"doc_id": pyarrow.string(), "tokens": strings, **({"pos_tags": strings} if self._pos else {})}
        columns["ner_tags"] = strings if self._tags is None else pyarrow.list_(pyarrow.int64())
        # The features as the library `datasets` writes them.
        string = {"dtype": "string", "_type": "Value"}
        tag = string if self._tags is None else {"names": self._tags, "_type": "ClassLabel"}
        features: Dict[str, Any] = {column: {"feature": string, "_type": "Sequence"} for column in columns}
        features |= {"doc_id": string, "ner_tags": {"feature": tag, "_type": "Sequence"}}
        metadata = {"huggingface": json.dumps({"info": {"features": features}})}
        self._schema = pyarrow.schema(columns, metadata=metadata)
        self._new_table = pyarrow.Table.from_pylist
        self._writer = PyarrowWriter(path, self._schema)
        self._rows: List[Dict[str, Any]] = []

    def _write(self, document: Document) -> None:
        for sentence in document.sentences:
            row = {"doc_id": document.id, "tokens": sentence.words, "ner_tags": self._sentence_tags(sentence)}
            self._rows.append({**row, "pos_tags": sentence.pos} if self._pos else row)
            if len(self._rows) == _ROWS_IN_A_GROUP:
                self._write_rows()

    def _write_rows(self) -> None:
        self._writer.write_table(self._new_table(self._rows, schema=self._schema))
        self._rows = []

    def _sentence_tags(self, sentence: Sentence) -> List[Any]:
        if sentence.tags is not None and not sentence.entities and self._tags is None:
            return sentence.tags
        entities = layer(sentence.entities, "outermost")
        tags = entities_to_tags(entities, len(sentence.words), self._coding_scheme)
        if self._tags is None:
            return tags
        for tag in tags:
            if tag not in self._tags:
                types = dict.fromkeys(known.partition("-")[2] for known in self._tags[1:])
                raise format_error(sentence.location, f"the tag {tag!r}", f"one of the types {', '.join(types)}")
        return [self._tags.index(tag) for tag in tags]
