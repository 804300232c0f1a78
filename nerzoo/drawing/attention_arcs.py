from typing import List, Tuple
from xml.etree.ElementTree import Element

from nerzoo.drawing.arcs import levels, path, strongest, weighted_arc
from nerzoo.drawing.layout import LINE, Place, extent, one_line
from nerzoo.drawing.prediction import Prediction
from nerzoo.drawing.svg import FONT_SIZE, Picture, element, label

NUM_ATTENDED = 3
"""Of each word the arcs to as many others as in Table 4 of the paper."""

_SPACE = 5.0
_LEVEL = 20.0


def attention_arcs(prediction: Prediction) -> Picture:
    """
    The sentence with arcs above it, from each word of an entity to the three words that it gives most weight, and its
    dependency tree below it, if the prediction has one: Figures 3 and 6 of Aguilar and Solorio (2019). Where there are
    no entities, there are arcs from all words.
    """
    words, weights = prediction.words, prediction.values["relative_attention"]
    sentence = prediction.sentence
    pos = (sentence and sentence.pos) or [""] * len(words)
    places = one_line(words, pos, prediction.tags, _dep_labels(prediction))
    # The slot of a null memory is no word.
    attended = [
        (source, target, weights[source][-len(words) :][target])
        for source in prediction.targets
        for target in strongest(weights[source][-len(words) :], NUM_ATTENDED)
        if target != source
    ]
    height = max((_height(source, target) for source, target, _ in attended), default=0.0) + _SPACE
    largest = max((weight for _, _, weight in attended), default=1.0)
    elements = [
        weighted_arc(
            path(places[source].middle, places[target].middle, height, _height(source, target)),
            places[target].middle,
            height,
            True,
            weight,
            largest,
            f"{words[source]} → {words[target]}: {weight:.3f}",
        )
        for source, target, weight in sorted(attended, key=lambda arc: arc[2])
    ]
    line = height + FONT_SIZE + 2
    for texts, class_ in ((words, ""), (pos, "small faint"), (prediction.tags, "small gold")):
        if any(texts):
            elements += [label(text, place.middle, line, class_) for text, place in zip(texts, places, strict=True)]
            line += LINE
    tree, bottom = _tree(prediction, places, line - FONT_SIZE + 2)
    said = "; ".join(f"{words[source]} to {words[target]} {weight:.2f}" for source, target, weight in attended)
    description = f"The sentence {' '.join(words)}, with arcs from words to those that they attend to most: {said}."
    title = f"Attention of {'entities' if prediction.entities else 'words'}; largest {largest:.2f}"
    return Picture(title, description, extent(places), bottom, elements + tree)


def _height(source: int, target: int) -> float:
    return 18.0 * abs(source - target) ** 0.6


def _dep_labels(prediction: Prediction) -> List[str]:
    sentence = prediction.sentence
    return (sentence and sentence.dep_labels) or [""] * len(prediction.words)


def _tree(prediction: Prediction, places: List[Place], top: float) -> Tuple[List[Element], float]:
    """The elements of the tree below `top`, and where they end."""
    if prediction.sentence is None or prediction.sentence.heads is None:
        return [], top
    words = prediction.words
    arcs = [(head - 1, word) for word, head in enumerate(prediction.sentence.heads) if head]
    depths = levels(arcs)
    bottom = top + _LEVEL * (1 + max(depths.values(), default=0)) + FONT_SIZE
    elements: List[Element] = []
    for word, (head, name) in enumerate(zip(prediction.sentence.heads, _dep_labels(prediction), strict=True)):
        end = places[word].middle
        if head == 0:
            stroke = f"M{end:.1f} {bottom:.1f} V{top:.1f}"
            elements.append(element("path", "tree", title=f"root: {words[word]}", d=stroke))
            continue
        start, depth = places[head - 1].middle, _LEVEL * depths[head - 1, word]
        # Arcs of one head start beside one another.
        start += 4.0 if end > start else -4.0
        title = f"{words[head - 1]} → {words[word]}: {name}" if name else f"{words[head - 1]} → {words[word]}"
        elements.append(element("path", "tree", title=title, d=path(start, end, top, -depth)))
        elements.append(label(name, (start + end) / 2, top + depth + 10.0, "small faint"))
    return elements, bottom
