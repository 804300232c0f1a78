import shutil

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.paths import FIXTURES

from nerzoo.formats.ontonotes import OntonotesCorpus
from nerzoo.text.annotation import Document, Entity, Sentence

FIXTURE = FIXTURES / "corpora/example.gold_conll"


def test_read():
    first, second = OntonotesCorpus().read(FIXTURE)
    assert first == Document(
        id="bn/abc/00/abc_0001/000",
        sentences=[
            Sentence(
                words=["Anna", "Lee", "left", "Paris", "."],
                pos=["NNP", "NNP", "VBD", "NNP", "."],
                entities=[Entity(0, 2, "PERSON"), Entity(3, 4, "GPE")],
                id=f"{FIXTURE}:2",
            )
        ],
    )
    assert second.id == "bn/abc/00/abc_0001/001"
    assert [sentence.words for sentence in second.sentences] == [["Why", "?"]]


def test_a_directory_is_read_recursively(tmp_path):
    for name in ("b/x.gold_conll", "a/deep/x.v4_gold_conll", "a/x.parse"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(FIXTURE, tmp_path / name)
    documents = list(OntonotesCorpus().read(tmp_path))
    assert len(documents) == 4
    assert "deep" in documents[0].sentences[0].id


def test_a_directory_without_files(tmp_path):
    with pytest.raises(ConfigurationError, match="expected at least one"):
        list(OntonotesCorpus().read(tmp_path))


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("           *)       *)     3)", "           *        *)     3)", r":2: found the opening bracket '\(PERSON'"),
        ("(GPE)", "*)", r":5: found the closing bracket '\)'"),
        ("      (V*)     -", "      (V*)", ":4: found 12 columns, expected 13"),
        ("(GPE)", "GPE", ":5: found 'GPE'"),
    ],
)
def test_bad_files(tmp_path, old, new, message):
    path = tmp_path / "x.gold_conll"
    path.write_text(FIXTURE.read_text().replace(old, new))
    with pytest.raises(ConfigurationError, match=message):
        list(OntonotesCorpus().read(path))


def test_too_few_columns(tmp_path):
    path = tmp_path / "x.gold_conll"
    path.write_text("id 0 0 Anna NNP *")
    with pytest.raises(ConfigurationError, match=":1: found 6 columns, expected at least 11"):
        list(OntonotesCorpus().read(path))


def test_of_gold_and_automatic_files_the_former_are_read(tmp_path, caplog):
    for name in ("a.v4_gold_conll", "a.v4_auto_conll", "b.v4_auto_conll"):
        shutil.copy(FIXTURE, tmp_path / name)
    sentences = [sentence.id for document in OntonotesCorpus().read(tmp_path) for sentence in document.sentences]
    assert {id.rpartition("/")[2].partition(":")[0] for id in sentences} == {"a.v4_gold_conll", "b.v4_auto_conll"}
    assert "left out 1 *_auto_conll files beside *_gold_conll" in caplog.text


def test_trees_from_constituents(tmp_path):
    first, second = (document.sentences[0] for document in OntonotesCorpus(trees=True).read(FIXTURE))
    assert first.heads == [2, 3, 0, 3, 3]
    assert first.dep_labels == ["NP|NNP", "S|NP", "root", "VP|NP", "S|."]
    assert (second.heads, second.dep_labels) == ([0, 1], ["root", "SBARQ|."])


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("(VP*     leave", "VP*     leave", ":4: found the constituents 'VP\\*', expected '\\('"),
        ("(VP*     leave", "*)))     leave", ":4: found a closing bracket of constituents, expected an opening one"),
        (
            "           *))      -",
            "           *)      -",
            ":6: found no end of the constituent 'TOP', expected a closing",
        ),
    ],
)
def test_bad_constituents(tmp_path, old, new, message):
    path = tmp_path / "x.gold_conll"
    path.write_text(FIXTURE.read_text().replace(old, new, 1))
    list(OntonotesCorpus().read(path))
    with pytest.raises(ConfigurationError, match=message):
        list(OntonotesCorpus(trees=True).read(path))
