import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from nerzoo.modules.span_decoders import HighestFirst, LongestFirst, ScoredEntity, SpanDecoder


@pytest.mark.parametrize("name, decoder", [("highest_first", HighestFirst), ("longest_first", LongestFirst)])
def test_from_params(name, decoder):
    made = SpanDecoder.from_params(Params({"type": name, "threshold": 0.3, "merge_adjacent": False}))
    assert type(made) is decoder
    assert (made.threshold, made.merge_adjacent) == (0.3, False)


def test_highest_first_is_the_default():
    assert type(SpanDecoder.from_params(Params({"threshold": 0.3}))) is HighestFirst


@pytest.mark.parametrize("name", ["highest_first", "longest_first"])
def test_scores_have_to_exceed_the_threshold(name):
    candidates = [ScoredEntity(0, 1, "A", 0.5), ScoredEntity(2, 3, "A", 0.51)]
    decoder = SpanDecoder.by_name(name)(threshold=0.5)
    assert decoder.decode(candidates) == candidates[1:]
    assert decoder.decode([]) == []


@pytest.mark.parametrize("name", ["highest_first", "longest_first"])
def test_adjacent_survivors_of_one_type_are_merged(name):
    candidates = [
        ScoredEntity(0, 1, "A", 0.9),
        ScoredEntity(1, 3, "A", 0.7),
        ScoredEntity(3, 4, "A", 0.8),
        ScoredEntity(4, 5, "B", 0.9),
        ScoredEntity(6, 7, "B", 0.9),
    ]
    decoder = SpanDecoder.by_name(name)
    assert decoder().decode(candidates) == [ScoredEntity(0, 4, "A", 0.7), *candidates[3:]]
    assert decoder(merge_adjacent=False).decode(candidates) == candidates


@pytest.mark.parametrize("threshold", [-0.1, 1.1])
def test_a_threshold_is_a_probability(threshold):
    with pytest.raises(ConfigurationError, match=f"found a threshold of {threshold}, expected one from 0 to 1"):
        HighestFirst(threshold)
