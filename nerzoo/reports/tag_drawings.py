from typing import Dict, List, Tuple
from xml.etree.ElementTree import Element

from nerzoo.reports.drawn_prediction import Entity, Prediction
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

_PADDING = 4.0


def entities(prediction: Prediction) -> Picture:
    """The words with a box around each entity, in the colour of its type; boxes of nested entities are nested."""
    words, found = prediction.words, prediction.entities
    depths = _depths(found)
    # The label of a box stands in it, above its words: it must not be wider.
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
    elements = _boxes(prediction, depths, [(place.left, place.right, place.row * height + top) for place in places])
    for word, place in zip(words, places, strict=True):
        elements.append(label(word, place.left, place.row * height + top + FONT_SIZE, anchor="start"))
    listed = "; ".join(f"{entity.label} {' '.join(words[entity.start : entity.end])}" for entity in found)
    description = f"The sentence {' '.join(words)}, with a box around each entity: {listed or 'none'}."
    return Picture("Entities", description, extent(places) + left, (places[-1].row + 1) * height, elements)


def _boxes(prediction: Prediction, depths: Dict[Entity, int], lines: List[Tuple[float, float, float]]) -> List[Element]:
    """Boxes and labels, outer before inner, given left, right and top of each word."""
    types = sorted({entity.label for entity in prediction.entities})
    elements = []
    for entity in sorted(prediction.entities, key=lambda entity: -depths[entity]):
        depth, words = depths[entity], prediction.words[entity.start : entity.end]
        left, _, line = lines[entity.start]
        right = lines[entity.end - 1][1]
        space = _PADDING * depth
        color = f"type-{types.index(entity.label) % NUM_TYPES}"
        shown = "" if entity.probability is None else f", probability {entity.probability:.3f}"
        box = element(
            "rect",
            f"box {color}",
            x=left - space,
            y=line - LINE * depth,
            width=right - left + 2 * space,
            height=LINE * (depth + 1) + space,
            rx=3,
        )
        name = label(entity.label, left, line - LINE * depth + FONT_SIZE - 1, "small", "start")
        elements.append(group([box, name], title=f"{entity.label}: {' '.join(words)}{shown}"))
    return elements


def _depths(found: List[Entity]) -> Dict[Entity, int]:
    """Of each entity how many boxes are one inside the other in it, with its own."""
    depths: Dict[Entity, int] = {}
    # An outer one comes before an inner one, also of the same words.
    for place in reversed(range(len(found))):
        entity = found[place]
        inner = [other for other in found[place + 1 :] if entity.start <= other.start and other.end <= entity.end]
        depths[entity] = 1 + max(map(depths.__getitem__, inner), default=0)
    return depths


_SPACE = 10.0


def decoders(prediction: Prediction) -> Picture:
    """
    The tags of both decoders of Seq2Biseq (Dinarelli and Grobol, 2019) below the words, where they differ on a shade,
    and the gold tags, if known.
    """
    words, values = prediction.words, prediction.values
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
            shade = element(
                "rect",
                "differs",
                title=different[-1],
                x=place.left - 4,
                y=top + LINE,
                width=place.width + 8,
                height=2 * LINE,
            )
            elements.append(shade)
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
