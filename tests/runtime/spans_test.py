import pytest
import torch
from helpers.archives import assert_same

from nerzoo.modules.span_decoders import HighestFirst, LongestFirst, NestedDecoder, span_candidates
from nerzoo.nn.numerics import IMPOSSIBLE, with_bias, with_temperature
from nerzoo.nn.spans import span_mask
from nerzoo.runtime.spans import SpanDecoding
from nerzoo.text.annotation import entities_to_json

TYPES = ["PER", "LOC", "ORG"]
LENGTHS = [9, 1, 30, 4]
MASK = torch.arange(30) < torch.tensor(LENGTHS).unsqueeze(1)
LEVELS = [
    {"type": "longest_first", "threshold": 0.6, "merge_adjacent": False},
    {"type": "highest_first", "threshold": 0.45, "merge_adjacent": True},
]
DECODER = NestedDecoder([LongestFirst(0.6), HighestFirst(0.45, merge_adjacent=True)])


@pytest.mark.parametrize(("none_bias", "temperature", "least"), [(0.0, 1.0, 0.0), (-1.5, 0.7, 0.0), (2.0, 1.3, 0.5)])
def test_decodes_as_the_model_does(none_bias, temperature, least):
    logits = 3 * torch.randn(4, 30, 5, 4, generator=torch.Generator().manual_seed(2))
    kept = span_mask(MASK, 5) & (torch.rand(4, 30, 5, generator=torch.Generator().manual_seed(3)) < 0.7)
    # Where there is no span, or a filter leaves it out.
    logits = torch.where(kept.unsqueeze(3), logits, torch.tensor([0.0, *[IMPOSSIBLE] * 3]))
    probabilities = with_temperature(with_bias(logits.softmax(3), none_bias), temperature)
    expected = [
        [entity for entity in DECODER.decode(candidates) if entity.score >= least]
        for candidates in span_candidates(probabilities, MASK, TYPES, DECODER.threshold)
    ]
    settings = {"max_length": 5, "none_bias": none_bias, "levels": LEVELS, "min_probability": least}
    sentences = [
        {"words": ["a"] * length, "text": "a " * length, "offsets": [*range(0, 2 * length, 2)]} for length in LENGTHS
    ]
    given = zip(sentences, expected, strict=True)
    entities = [entities_to_json([(entity, entity.score) for entity in found], sentence) for sentence, found in given]
    found = SpanDecoding(settings, TYPES, temperature)(sentences, logits[MASK].numpy())
    assert_same([prediction["entities"] for prediction in found], entities)
    assert sum(map(len, entities)) > 10
