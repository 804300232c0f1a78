import hypothesis.strategies as some
import numpy
from hypothesis import given

from nerzoo.runtime.tags import TagDecoding
from nerzoo.text.annotation import tag_spans

TAGS = ["O", "B-PER", "I-PER", "L-PER", "U-PER", "B-LOC", "I-LOC", "E-LOC", "S-LOC", "B", "X-PER", "PER"]


@given(some.lists(some.lists(some.sampled_from(range(len(TAGS))), min_size=1, max_size=8), min_size=1, max_size=5))
def test_finds_the_entities_in_any_tags(rows):
    free = numpy.zeros([len(TAGS) + 2] * 2, numpy.float32)
    sentences = [
        {"words": ["a"] * len(row), "text": "a " * len(row), "offsets": [*range(0, 2 * len(row), 2)]} for row in rows
    ]
    # The tags that are drawn have the highest scores.
    scores = 50 * numpy.eye(len(TAGS), dtype=numpy.float32)[[tag for row in rows for tag in row]]
    predictions = TagDecoding(free, TAGS, "BIO", temperature=1.0, batch_tokens=16)(sentences, scores)
    for row, prediction in zip(rows, predictions, strict=True):
        assert prediction["tags"] == [TAGS[tag] for tag in row]
        found = [(entity["start"], entity["end"], entity["label"]) for entity in prediction["entities"]]
        assert found == tag_spans(prediction["tags"])
