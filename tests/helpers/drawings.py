"""Predictions to draw, and the visible parts of drawings."""

import json

from nerzoo.formats.jsonl import read_predictions
from nerzoo.reports.draw import drawable

WORDS = ["Mara", "<b>&", "in", "Lindow"]
SENTENCE = {
    "doc_id": "d",
    "words": WORDS,
    "pos": ["NNP", "VBD", "IN", "NNP"],
    "heads": [2, 0, 4, 2],
    "dep_labels": ["nsubj", "root", "case", "obl"],
    "tags": ["U-person", "O", "O", "U-place"],
    "gold_tags": ["U-person", "O", "O", "O"],
    "entities": [
        {"start": 0, "end": 1, "label": "person", "probability": 0.9},
        {"start": 3, "end": 4, "label": "place", "probability": 0.25},
    ],
}
WEIGHTS = [[0.0, 0.5, 0.25, 0.25], [0.8, 0.0, 0.2, 0.0], [0.1, 0.1, 0.0, 0.8], [0.4, 0.35, 0.25, 0.0]]
THREAD = {
    "id": "t",
    "posts": [
        {"id": "a", "act": "question", "act_probability": 0.8, "link": None, "link_probability": 1.0},
        {"id": "b", "act": "answer", "act_probability": 0.7, "link": "a", "link_probability": 0.6},
        {"id": "c", "act": "<thanks>", "act_probability": 0.6, "link": "a", "link_probability": 0.5},
    ],
}


def prediction(path, *objects, **values):
    """Returns the last prediction of a file with these objects, or with `SENTENCE` and values."""
    objects = objects or ({**SENTENCE, **values},)
    path.write_text("".join(json.dumps(each) + "\n" for each in objects))
    return drawable(list(read_predictions(str(path)))[-1])


def shades(elements):
    """Returns the darkness of each element with a title and a shade or an arc, by its title."""
    found = {}
    for each in elements:
        title = each.find("title")
        if title is not None:
            dark = [part.get("fill-opacity") or part.get("stroke-opacity") for part in each.iter()]
            dark = {float(value) for value in dark if value is not None}
            assert len(dark) <= 1
            found[title.text] = dark.pop() if dark else None
    return found


def texts(elements):
    """Returns the texts of elements, in order."""
    return [part.text for each in elements for part in each.iter("text") if part.text]
