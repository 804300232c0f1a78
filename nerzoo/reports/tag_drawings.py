"""Drawings of entities and of tags."""

from itertools import repeat
from typing import Dict, List, Sequence
from xml.etree.ElementTree import Element

from nerzoo.formats.predictions import Prediction
from nerzoo.reports.shapes import shaded
from nerzoo.reports.svg import (
    FONT_SIZE,
    LINE,
    NUM_TYPES,
    Picture,
    element,
    extent,
    group,
    label,
    several_lines,
    text_width,
)
from nerzoo.text.annotation import Entity

_PADDING = 4.0


def entities(prediction: Prediction) -> Picture:
    """Draws the words with a box around each entity, in the colour of its type; boxes of nested entities are nested."""
    words, found = prediction.words, prediction.predicted
    depths = _depths(found)
    # The label of a box stands inside it, above its words, and must not be wider.
    widest = [""] * len(words)
    margins = [(0.0, 0.0)] * len(words)
    for entity in found:
        if text_width(entity.label) > text_width(" ".join(words[entity.start : entity.end])):
            widest[entity.start] = max(widest[entity.start], entity.label, key=text_width)
        space, first, last = _PADDING * (depths[entity] - 1), entity.start, entity.end - 1
        margins[first] = (max(margins[first][0], space), margins[first][1])
        margins[last] = (margins[last][0], max(margins[last][1], space))
    left = _PADDING * (1 + max(depths.values(), default=0))
    spans = [(entity.start, entity.end) for entity in found]
    places = several_lines(words, widest, spans=spans, left=left, margins=margins)
    top = LINE * max(depths.values(), default=0)
    height = top + LINE + 2 * left + _PADDING
    types = sorted({entity.label for entity in found})
    probabilities = dict(zip(found, prediction.probabilities or repeat(None), strict=False))
    elements = []
    for entity in sorted(found, key=lambda entity: -depths[entity]):
        depth, first, last = depths[entity], places[entity.start], places[entity.end - 1]
        space, line = _PADDING * depth, first.row * height + top - LINE * depth
        size = {"width": last.right - first.left + 2 * space, "height": LINE * (depth + 1) + space}
        class_ = f"box type-{types.index(entity.label) % NUM_TYPES}"
        box = element("rect", class_, x=first.left - space, y=line, **size, rx=3)
        name = label(entity.label, first.left, line + FONT_SIZE - 1, "small", "start")
        probability = probabilities[entity]
        shown = "" if probability is None else f", probability {probability:.3f}"
        title = f"{entity.label}: {' '.join(words[entity.start : entity.end])}{shown}"
        elements.append(group([box, name], title=title))
    for word, place in zip(words, places, strict=True):
        elements.append(label(word, place.left, place.row * height + top + FONT_SIZE, anchor="start"))
    listed = "; ".join(f"{entity.label} {' '.join(words[entity.start : entity.end])}" for entity in found)
    description = f"The sentence {' '.join(words)}, with a box around each entity: {listed or 'none'}."
    return Picture("Entities", description, extent(places) + left, (places[-1].row + 1) * height, elements)


def _depths(found: Sequence[Entity]) -> Dict[Entity, int]:
    """Returns for each entity the highest number of boxes inside one another that it contains, with its own."""
    depths: Dict[Entity, int] = {}
    # An outer entity comes before an inner one, also of the same words.
    for place in reversed(range(len(found))):
        entity = found[place]
        inner = [other for other in found[place + 1 :] if entity.start <= other.start and other.end <= entity.end]
        depths[entity] = 1 + max(map(depths.__getitem__, inner), default=0)
    return depths


_SPACE = 10.0


def decoders(prediction: Prediction) -> Picture:
    """
    Draws the tags of both decoders of Seq2Biseq (Dinarelli and Grobol, 2019) below the words, with a shade where they
    differ, and the gold tags, if known.
    """
    words, values = prediction.words, prediction.outputs
    rows = {"backward ←": values["backward_tags"], "forward →": values["tags"]}
    if values.get("gold_tags"):
        rows["gold"] = values["gold_tags"]
    left = max(map(text_width, rows)) + 2 * _SPACE
    places = several_lines(words, *rows.values(), left=left)
    height = LINE * (1 + len(rows)) + _SPACE
    elements: List[Element] = []
    for line in range(places[-1].row + 1):
        for number, name in enumerate(rows, 1):
            elements.append(label(name, 0, line * height + number * LINE + FONT_SIZE, "small faint", "start"))
    different = []
    for position, (word, place) in enumerate(zip(words, places, strict=True)):
        top = place.row * height
        backward, forward = values["backward_tags"][position], values["tags"][position]
        if backward != forward:
            different.append(f"{word}: {backward} and {forward}")
            elements.append(shaded(place, top + LINE, 2 * LINE, 4, "differs", different[-1]))
        elements.append(label(word, place.middle, top + FONT_SIZE))
        for number, tags in enumerate(rows.values(), 1):
            tag = tags[position]
            class_ = "small faint" if tag == "O" else "small gold" if number == 3 else "small"
            elements.append(label(tag, place.middle, top + number * LINE + FONT_SIZE, class_))
    description = (
        f"The sentence {' '.join(words)} with the tags of the decoder from right to left and of the one from left to "
        f"right, which differ in {len(different)} of {len(words)} words. {'; '.join(different)}"
    )
    return Picture("Decoders", description, extent(places), (places[-1].row + 1) * height, elements)
