import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from helpers.paths import FIXTURES, REAL_DATA

from nerzoo.formats.corpus import Corpus
from nerzoo.formats.slot_filling import SlotFillingCorpus
from nerzoo.text.annotation import Document, Entity, Sentence

FILES = FIXTURES / "slot_filling"
DATA = REAL_DATA / "snips/goo2018"


def read(tmp_path, words, tags):
    (tmp_path / "seq.in").write_text(words)
    (tmp_path / "seq.out").write_text(tags)
    return list(Corpus.from_params(Params({"type": "slot_filling"})).read(tmp_path))


def test_utterances_with_slots(tmp_path):
    documents = read(tmp_path, "fly to port ansel \nyes\n", "O O B-destination I-destination \nO\n")
    words = ["fly", "to", "port", "ansel"]
    assert documents == [
        Document(
            sentences=[
                Sentence(words, entities=[Entity(2, 4, "destination")], id=f"{tmp_path}/seq.in:1"),
                Sentence(["yes"], entities=[], id=f"{tmp_path}/seq.in:2"),
            ]
        )
    ]


@pytest.mark.parametrize(
    "words, tags, message",
    [
        ("a b\nc", "O O", "seq.in:2: found an extra line, expected as many as in seq.out"),
        ("a b", "O O\nO", "seq.out:2: found an extra line, expected as many as in seq.in"),
        ("a\nb c", "O\nO", "seq.out:2: found 1 tags, expected 2, one for each word of .*seq.in:2"),
        ("a\nb", "O\nO O", "seq.out:2: found 2 tags, expected 1"),
        ("a\n \nb", "O\n\nO", "seq.in:2: found a blank line, expected at least one word"),
        ("a\nb", "O\n\n", "seq.out:2: found a blank line"),
        ("a b", "O U-x", "seq.out:1: found the tag 'U-x', expected O, or one of B, I with a label: BIO"),
        ("", "", "seq.in: found no sentence"),
    ],
)
def test_bad_files(tmp_path, words, tags, message):
    with pytest.raises(ConfigurationError, match=message):
        read(tmp_path, words, tags)


def test_a_file_is_no_folder(tmp_path):
    with pytest.raises(ConfigurationError, match="seq.in: found no folder, expected one that holds seq.in and seq.out"):
        list(SlotFillingCorpus().read(FILES / "train/seq.in"))
    with pytest.raises(ConfigurationError, match="seq.in: found no such file"):
        list(SlotFillingCorpus().read(tmp_path))


def counts(path):
    (document,) = SlotFillingCorpus().read(path)
    entities = [entity for sentence in document.sentences for entity in sentence.entities]
    num_words = sum(len(sentence.words) for sentence in document.sentences)
    return len(document.sentences), num_words, len(entities), len({entity.label for entity in entities})


@pytest.mark.parametrize(
    "part, expected", [("train", (121, 949, 201, 11)), ("dev", (30, 223, 52, 11)), ("test", (30, 234, 55, 11))]
)
def test_the_fixture(part, expected):
    assert counts(FILES / part) == expected


@pytest.mark.skipif(not DATA.exists(), reason="needs the corpora in ../shared/data")
@pytest.mark.parametrize(
    "part, expected",
    [("train", (13084, 117700, 33958, 39)), ("valid", (700, 6384, 1794, 39)), ("test", (700, 6354, 1790, 39))],
)
def test_snips(part, expected):
    assert counts(DATA / part) == expected
