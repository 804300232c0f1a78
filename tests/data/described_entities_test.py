from nerzoo.data.annotation import Entity
from nerzoo.data.described_entities import described_entities
from nerzoo.modules.span_decoders import ScoredEntity

SENTENCE = {"words": ["In", "New", "York", "."], "text": "In New  York.", "offsets": [0, 3, 8, 12]}


def test_places_in_words_and_in_characters():
    expected = {"start": 1, "end": 3, "label": "LOC", "text": "New  York", "start_char": 3, "end_char": 12}
    for entity in (Entity(1, 3, "LOC"), ScoredEntity(1, 3, "LOC", 0.75)):
        assert described_entities([(entity, 0.5)], SENTENCE) == [{**expected, "probability": 0.5}]


def test_no_entities():
    assert described_entities([], SENTENCE) == []
