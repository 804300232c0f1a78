import sys

import pytest
from allennlp.common.checks import ConfigurationError
from pyarrow import parquet

from nerzoo.formats.parquet import ParquetCorpus, ParquetWriter
from nerzoo.text.annotation import Document, Entity, Sentence

SENTENCES = [
    Sentence(["Mara", "left"], pos=["NNP", "VBD"], entities=[Entity(0, 1, "PER"), Entity(0, 2, "X")], id="s"),
    Sentence(["Why"], entities=[Entity(0, 1, "PER")]),
]


def test_rows(tmp_path):
    writer = ParquetWriter(pos=True)
    writer.write_all([Document("a", SENTENCES[:1]), Document("b", SENTENCES[1:])], tmp_path / "a.parquet")
    assert parquet.read_table(tmp_path / "a.parquet").to_pylist() == [
        {"doc_id": "a", "tokens": ["Mara", "left"], "pos_tags": ["NNP", "VBD"], "ner_tags": ["B-X", "I-X"]},
        {"doc_id": "b", "tokens": ["Why"], "pos_tags": None, "ner_tags": ["B-PER"]},
    ]
    assert writer.lost() == "1 nested entities"
    documents = ParquetCorpus(pos_column="pos_tags").read(tmp_path / "a.parquet")
    assert [document.sentences[0].pos for document in documents] == [["NNP", "VBD"], None]


def test_the_library_datasets_reads_its_labels(tmp_path):
    datasets = pytest.importorskip("datasets")
    writer = ParquetWriter(types=["PER", "X"])
    writer.write_all([Document(None, SENTENCES)], tmp_path / "a.parquet")
    data = datasets.Dataset.from_parquet(str(tmp_path / "a.parquet"), cache_dir=str(tmp_path / "cache"))
    assert data.features["ner_tags"].feature.names == ["O", "B-PER", "I-PER", "B-X", "I-X"]
    assert data["ner_tags"] == [[3, 4], [1]]
    (document,) = ParquetCorpus().read(tmp_path / "a.parquet")
    assert [sentence.entities for sentence in document.sentences] == [[Entity(0, 2, "X")], [Entity(0, 1, "PER")]]


def test_labels_of_words(tmp_path):
    ParquetWriter().write_all([Document(None, [Sentence(["a", "b"], tags=["c", "i"])])], tmp_path / "a.parquet")
    (document,) = ParquetCorpus(coding_scheme=None).read(tmp_path / "a.parquet")
    assert document.sentences[0].tags == ["c", "i"]


def test_many_rows(tmp_path, monkeypatch):
    monkeypatch.setattr("nerzoo.formats.parquet._ROWS_IN_A_GROUP", 3)
    ParquetWriter().write_all([Document(str(i), SENTENCES) for i in range(5)], tmp_path / "a.parquet")
    assert parquet.ParquetFile(tmp_path / "a.parquet").num_row_groups == 4
    assert [document.id for document in ParquetCorpus().read(tmp_path / "a.parquet")] == list("01234")


def test_other_types(tmp_path):
    with pytest.raises(ConfigurationError, match="s: found the tag 'B-X', expected one of the types PER, LOC"):
        ParquetWriter(types=["PER", "LOC"]).write_all([Document(None, SENTENCES)], tmp_path / "a.parquet")


def test_without_pyarrow(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ConfigurationError, match=r"found no pyarrow, expected it, .* pip install nerzoo\[parquet\]"):
        ParquetWriter().open(tmp_path / "a.parquet")
