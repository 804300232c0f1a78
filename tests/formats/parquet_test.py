import json
import sys

import pyarrow
import pytest
from allennlp.common.checks import ConfigurationError
from pyarrow import parquet

from nerzoo.formats.parquet import ParquetCorpus
from nerzoo.text.annotation import Entity

NAMES = ["O", "B-PER", "I-PER"]
ROWS = {"tokens": [["Mara", "Lind", "left"], ["Why"]], "ner_tags": [[1, 2, 0], [0]]}
STRINGS = {"tokens": ROWS["tokens"], "ner_tags": [["B-PER", "I-PER", "O"], ["O"]]}


def write(path, columns, names=None, kind="Sequence"):
    """`names`: those of a `ClassLabel`, in the metadata that the library `datasets` writes."""
    table = pyarrow.table(columns)
    if names is not None:
        label = {"names": names, "_type": "ClassLabel"}
        feature = [label] if kind == "old" else {"feature": label, "_type": kind}
        table = table.replace_schema_metadata(
            {"huggingface": json.dumps({"info": {"features": {"ner_tags": feature}}})}
        )
    parquet.write_table(table, path)
    return path


def read(path, **options):
    return list(ParquetCorpus(**options).read(path))


@pytest.mark.parametrize("kind", ["Sequence", "List", "old"])
def test_integers_with_names(tmp_path, kind):
    path = write(tmp_path / "a.parquet", ROWS, NAMES, kind)
    (document,) = read(path)
    assert document.id is None
    assert [sentence.words for sentence in document.sentences] == ROWS["tokens"]
    assert [sentence.entities for sentence in document.sentences] == [[Entity(0, 2, "PER")], []]
    assert document.sentences[1].id == f"{path}: row 2"


def test_as_the_library_datasets_writes_it(tmp_path):
    datasets = pytest.importorskip("datasets")
    tags = datasets.Sequence(datasets.ClassLabel(names=NAMES))
    features = datasets.Features({"tokens": datasets.Sequence(datasets.Value("string")), "ner_tags": tags})
    datasets.Dataset.from_dict(ROWS, features=features).to_parquet(tmp_path / "a.parquet")
    (document,) = read(tmp_path / "a.parquet")
    assert document.sentences[0].entities == [Entity(0, 2, "PER")]


def test_strings_and_names_from_the_options(tmp_path):
    for columns, options in ((STRINGS, {}), (ROWS, {"tag_names": NAMES})):
        (document,) = read(write(tmp_path / "a.parquet", columns), **options)
        assert document.sentences[0].entities == [Entity(0, 2, "PER")]


def test_other_columns_and_labels_of_words(tmp_path):
    columns = {"words": ROWS["tokens"], "upos": [["PROPN", "PROPN", "VERB"], ["ADV"]]}
    path = write(tmp_path / "a.parquet", columns)
    (document,) = read(path, token_column="words", tag_column="upos", pos_column="upos", coding_scheme=None)
    assert document.sentences[1].tags == document.sentences[1].pos == ["ADV"]
    (document,) = read(path, token_column="words", tag_column=None)
    assert document.sentences[1].tags is None and not document.sentences[1].entities


def test_documents_and_folders(tmp_path):
    for name in "ab":
        write(tmp_path / f"{name}.parquet", {**STRINGS, "doc_id": [name, "last"]})
    documents = read(tmp_path)
    assert [(document.id, len(document.sentences)) for document in documents] == [
        ("a", 1),
        ("last", 1),
        ("b", 1),
        ("last", 1),
    ]
    assert documents[2].sentences[0].id == f"{tmp_path}/b.parquet: row 1"


@pytest.mark.parametrize("revision", ["", "@v1"])
def test_the_hub(tmp_path, monkeypatch, revision):
    """Offline: from a cache as huggingface_hub fills it."""
    repository = tmp_path / "datasets--owner--name"
    (repository / "snapshots/0123/data").mkdir(parents=True)
    (repository / "refs").mkdir()
    (repository / "refs" / (revision[1:] or "main")).write_text("0123")
    write(repository / "snapshots/0123/data/test.parquet", ROWS, NAMES)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    (document,) = read(f"hf://datasets/owner/name{revision}/data/test.parquet")
    assert document.sentences[0].entities == [Entity(0, 2, "PER")]
    assert document.sentences[0].id == f"hf://datasets/owner/name{revision}/data/test.parquet: row 1"


@pytest.mark.parametrize(
    "columns, options, message",
    [
        (ROWS, {"tag_column": "tags"}, "found the columns tokens, ner_tags, expected a column tags"),
        (ROWS, {"token_column": "words"}, "found the columns tokens, ner_tags, expected a column words"),
        (ROWS, {}, r"row 1, column ner_tags: found \[1, 2, 0\], expected strings, or numbers with their names"),
        (ROWS, {"tag_names": ["O", "B-PER"]}, "row 1, column ner_tags: found 2, expected a number from 0 to 1"),
        (
            {**STRINGS, "ner_tags": [["B-PER"], ["O"]]},
            {},
            r"row 1, column ner_tags: found \['B-PER'\], expected a list of 3",
        ),
        ({**STRINGS, "ner_tags": ["O", "O"]}, {}, "row 1, column ner_tags: found 'O', expected a list of 3"),
        (
            {**STRINGS, "ner_tags": [["U-PER", "O", "O"], ["O"]]},
            {},
            "row 1: found the tag 'U-PER', expected O, or one of",
        ),
        ({**STRINGS, "tokens": [["a", "b", "c"], []]}, {}, r"row 2: found the words \[\], expected a list of at least"),
        ({**STRINGS, "tokens": ["a b c", "d"]}, {}, "row 1: found the words 'a b c'"),
        ({"tokens": pyarrow.array([], pyarrow.list_(pyarrow.string())), "ner_tags": []}, {}, "found no sentence"),
    ],
)
def test_bad_files(tmp_path, columns, options, message):
    path = write(tmp_path / "a.parquet", columns)
    with pytest.raises(ConfigurationError, match=f"a.parquet: {message}"):
        read(path, **options)


def test_other_files(tmp_path):
    (tmp_path / "a.txt").write_text("tokens")
    with pytest.raises(ConfigurationError, match="a.txt: found a file of another format .*, expected Parquet"):
        read(tmp_path / "a.txt")
    with pytest.raises(ConfigurationError, match="found a folder without such files, expected at least one"):
        read(tmp_path)


def test_without_pyarrow(tmp_path, monkeypatch):
    path = write(tmp_path / "a.parquet", STRINGS)
    for name in ("pyarrow", "pyarrow.lib", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ConfigurationError, match=r"found no pyarrow, expected it, .* pip install nerzoo\[parquet\]"):
        read(path)
