import logging

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from nerzoo.formats.corpus import Corpus
from nerzoo.text.annotation import Entity

TEXT = "The University of New\nYork is in Calder.\nMara left."
ANNOTATION = """T1\tORG 4 21;22 26\tUniversity of New York
T2\tLOC 18 26\tNew York
T3\tLOC 33 39\tCalder
R1\tin Arg1:T1 Arg2:T3
#1\tAnnotatorNotes T1\tsure?
*\tsame T1 T2
T4\tPER 41 45\tMara
"""


def read(path, **options):
    return list(Corpus.from_params(Params({"type": "brat", **options})).read(path))


def write(folder, name="a", text=TEXT, annotation=ANNOTATION):
    path = folder / f"{name}.txt"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode())
    path.with_name(f"{path.stem}.ann").write_bytes(annotation.encode())
    return path


@pytest.mark.parametrize("ending", ["txt", "ann"])
def test_a_file(tmp_path, caplog, ending):
    path = write(tmp_path)
    with caplog.at_level(logging.INFO, "nerzoo"):
        (document,) = read(path.with_suffix(f".{ending}"))
    assert (document.id, document.text) == ("a", TEXT)
    assert [sentence.words[-2:] for sentence in document.sentences] == [["Calder", "."], ["left", "."]]
    entities = [Entity(1, 5, "ORG"), Entity(3, 5, "LOC"), Entity(7, 8, "LOC")]
    assert [sentence.entities for sentence in document.sentences] == [entities, [Entity(0, 1, "PER")]]
    assert [sentence.id for sentence in document.sentences] == [f"{path}:1", f"{path}:3"]
    assert "1 ends of sentences within entities, 1 equivalences, 1 notes, 1 relations" in caplog.text


def test_a_folder(tmp_path):
    for name in ("10", "2", "sub/1", "of%3Aid"):
        write(tmp_path, name, f"{name.split('/')[-1]} words", "")
    assert [document.id for document in read(tmp_path)] == ["2", "10", "of:id", "sub/1"]


def test_texts_alone(tmp_path):
    path = write(tmp_path)
    path.with_suffix(".ann").unlink()
    for source in (tmp_path, path):
        (document,) = read(source, annotated=False)
        assert document.text == TEXT and not any(sentence.entities for sentence in document.sentences)


def test_line_ends_of_windows_and_a_byte_order_mark(tmp_path):
    write(
        tmp_path,
        text="\ufeffMara left.\r\nDr\ufeffew\r\n",
        annotation="T1\tPER 1 5\tMara\r\nT2\tPER 13 18\tDr\ufeffew\r\n",
    )
    (document,) = read(tmp_path)
    assert [sentence.words for sentence in document.sentences] == [["Mara", "left", "."], ["Dr\ufeffew"]]
    assert [sentence.entities for sentence in document.sentences] == [[Entity(0, 1, "PER")]] * 2


def test_options_of_the_splitter(tmp_path):
    write(tmp_path, text="Mara's", annotation="T1\tPER 0 3\tMar")
    (document,) = read(tmp_path, splitter={"boundaries": "widen"})
    assert document.sentences[0].entities == [Entity(0, 1, "PER")]


@pytest.mark.parametrize(
    "annotation, message",
    [
        ("T1\tPER 41 45\tMara\nT2\tORG 4 14;22 26\tUniversity York", "a.ann:2: found the discontinuous entity 'Univ"),
        ("T1\tPER 41 45\tDrew", "a.ann:1: found 'Drew', where the text has 'Mara', expected the same in both"),
        ("T1\tPER 50 99\tleft", "a.ann:1: found an entity from 50 to 99, expected 0 <= start < end <= 51, the length"),
        ("T1\tPER 5 4\tx", "a.ann:1: found an entity from 5 to 4"),
        ("\nT1 PER 41 45 Mara", "a.ann:2: found 'T1 PER 41 45 Mara', expected an entity such as"),
        ("T1\tPER 41\tMara", "a.ann:1: found .* expected an entity such as"),
        ("?1 PER", r"a.ann:1: found '\?1 PER', expected an annotation of brat's"),
        ("T1\tPER 41 44\tMar", "a.ann:1: found the entity 'Mar', a part of the words 'Mara', expected one that begins"),
    ],
)
def test_bad_annotation(tmp_path, annotation, message):
    write(tmp_path, annotation=annotation)
    with pytest.raises(ConfigurationError, match=message):
        read(tmp_path)


def test_files_that_are_missing(tmp_path):
    with pytest.raises(ConfigurationError, match="found a folder without texts, expected at least one NAME.txt with"):
        read(tmp_path)
    path = write(tmp_path)
    path.with_suffix(".ann").unlink()
    with pytest.raises(
        ConfigurationError, match="a.txt: found no a.ann beside it, expected a text with its annotation"
    ):
        read(tmp_path)
    write(tmp_path)
    path.unlink()
    with pytest.raises(ConfigurationError, match="a.ann: found no a.txt beside it"):
        read(tmp_path)


def test_no_utf_8(tmp_path):
    write(tmp_path).write_bytes(b"one\ntw\xff")
    with pytest.raises(ConfigurationError, match="a.txt:2: found the byte 0xff, expected UTF-8"):
        read(tmp_path)


def test_no_words(tmp_path):
    write(tmp_path, text=" \n", annotation="")
    with pytest.raises(ConfigurationError, match="found no sentence"):
        read(tmp_path)
