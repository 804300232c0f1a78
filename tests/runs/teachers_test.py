import pytest
from allennlp.common.checks import ConfigurationError

from nerzoo.runs.teachers import combined, confidence
from nerzoo.text.annotation import Entity, Sentence


def test_an_ensemble():
    words = ["Mara", "Holt", "left"]
    whole, part, place = Entity(0, 2, "PER"), Entity(0, 1, "PER"), Entity(2, 3, "LOC")
    sentences = [
        Sentence(
            words, entities=[whole], probabilities=[0.75], marginals=[{"B": 1.0}, {"L": 0.5, "O": 0.5}, {"O": 1.0}]
        ),
        Sentence(
            words, entities=[whole, place], probabilities=[0.5, 0.75], marginals=[{"B": 1.0}, {"L": 1.0}, {"O": 0.5}]
        ),
        Sentence(words, entities=[part, place], marginals=[{"U": 1.0}, {"O": 1.0}, {"O": 0.75}]),
    ]
    found = combined(sentences[:2])
    assert (found.entities, found.probabilities) == ([whole], [0.625])
    assert found.marginals == [{"B": 1.0}, {"L": 0.75, "O": 0.25}, {"O": 0.75}]
    # A teacher that gives no probabilities is sure.
    found = combined(sentences)
    assert found.entities == [place] and found.probabilities == pytest.approx([1.75 / 3])
    assert combined([*sentences[:1], Sentence(words)]).marginals is None
    assert combined(sentences[:1]) == sentences[0]
    with pytest.raises(ConfigurationError, match="found the words 'Mara Holt', expected those of .*'Mara Holt left'"):
        combined([sentences[0], Sentence(words[:2])])


def test_confidence():
    entities = [Entity(0, 1, "PER"), Entity(1, 2, "LOC")]
    assert confidence(Sentence(["a"])) == 1
    assert confidence(Sentence(["a", "b"], entities=entities, probabilities=[0.5, 0.25])) == 0.25
    marginals = [{"U-PER": 1.0}, {"O": 0.75, "U-PER": 0.25}, {"O": 0.9}]
    assert (
        confidence(Sentence(["a", "b", "c"], entities=entities[:1], probabilities=[0.8], marginals=marginals)) == 0.75
    )
