"""The predictions of two systems for three sentences."""

import json

from nerzoo.text.annotation import tags_to_entities

WORDS = [["fly", "to", "port", "ansel"], ["yes"], ["two", "nights", "in", "varda"]]
GOLD = [["O", "O", "B-city", "I-city"], ["O"], ["B-nights", "I-nights", "O", "B-city"]]
# The first system is correct. The second has a wrong boundary, a spurious entity and a wrong type.
FIRST = GOLD
SECOND = [["O", "O", "B-city", "O"], ["B-city"], ["B-date", "I-date", "O", "B-city"]]


def predictions(tags, gold=GOLD, words=WORDS, without=()):
    """Returns predictions in the form of a tagger."""
    for sentence, row, truth in zip(words, tags, gold, strict=True):
        entities = [{**entity._asdict(), "probability": 0.9} for entity in tags_to_entities(row, "BIO")]
        prediction = {"doc_id": "d", "words": sentence, "tags": row, "gold_tags": truth, "entities": entities}
        yield {name: value for name, value in prediction.items() if name not in without}


def write(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(path)


def write_systems(folder):
    """Writes the predictions of both systems; returns the paths."""
    return write(folder / "a.jsonl", predictions(FIRST)), write(folder / "b.jsonl", predictions(SECOND))
