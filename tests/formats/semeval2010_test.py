import pytest
from allennlp.common.checks import ConfigurationError
from helpers.paths import FIXTURES

from nerzoo.formats.semeval2010 import SemEval2010Corpus
from nerzoo.text.annotation import Entity, Sentence

FIXTURE = FIXTURES / "corpora/semeval2010.txt"


def test_read():
    first, second = SemEval2010Corpus().read(FIXTURE)
    assert (first.id, second.id) == ("news_01", "news_02")
    assert first.sentences == [
        Sentence(
            words=["The", "Bank", "of", "Peru", "won"],
            pos=["DT", "NNP", "IN", "NNP", "VBD"],
            heads=[2, 5, 2, 3, 0],
            dep_labels=["NMOD", "SBJ", "NMOD", "PMOD", "sentence"],
            entities=[Entity(0, 4, "org"), Entity(3, 4, "gpe")],
            id=f"{FIXTURE}:2",
        )
    ]
    assert [(sentence.words, sentence.entities) for sentence in second.sentences] == [(["Lima"], [Entity(0, 1, "gpe")])]


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("|org)", "", r":2: found the opening bracket '\(org'"),
        ("(org", "_", r":5: found the closing bracket 'org\)'"),
        ("\t3\t3\tPMOD", "\t9\t9\tPMOD", ":5: found the head 9, expected an integer from 0 to 5"),
        ("\t3\t3\tPMOD", "\t4\t4\tPMOD", ":5: found the cycle of heads 4 -> 4"),
        ("\t1)\n", "\n", ":5: found 17 columns, expected 18"),
    ],
)
def test_bad_files(tmp_path, old, new, message):
    path = tmp_path / "file.txt"
    path.write_text(FIXTURE.read_text().replace(old, new))
    with pytest.raises(ConfigurationError, match=message):
        list(SemEval2010Corpus().read(path))


def test_too_few_columns(tmp_path):
    path = tmp_path / "file.txt"
    path.write_text("1\tLima\n")
    with pytest.raises(ConfigurationError, match=":1: found 2 columns, expected at least 13"):
        list(SemEval2010Corpus().read(path))
