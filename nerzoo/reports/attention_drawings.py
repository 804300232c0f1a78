"""Drawings of attention and of gates."""

from typing import List, Tuple
from xml.etree.ElementTree import Element

from nerzoo.formats.predictions import Prediction
from nerzoo.reports.shapes import heat_map, levels, path, shaded_words, strongest, weighted_arc
from nerzoo.reports.svg import FONT_SIZE, LINE, Picture, Place, element, extent, label, one_line

NUM_ATTENDED = 3  # The number of arcs from each word, as in Table 4 of the paper.
NULL = "∅"  # The name of the null memory.
_SPACE = 5.0
_LEVEL = 20.0


def targets(prediction: Prediction) -> List[int]:
    """Returns the positions of the words whose attention is drawn: the words of entities or, without any, all words."""
    inside = {position for entity in prediction.predicted for position in range(entity.start, entity.end)}
    return sorted(inside) or list(range(len(prediction.words)))


def _tags(prediction: Prediction, name: str = "tags") -> List[str]:
    """Returns the tag of each word; empty for O, and where there are no tags."""
    return [tag if tag != "O" else "" for tag in _word_outputs(prediction, name)]


def _word_outputs(prediction: Prediction, name: str) -> List[str]:
    return prediction.outputs.get(name) or [""] * len(prediction.words)


def attention_arcs(prediction: Prediction) -> Picture:
    """
    Draws arcs above the sentence, from each word of an entity to the three words with most of its attention, and below
    the sentence its dependency tree, if the prediction has one: Figures 3 and 6 of Aguilar and Solorio (2019). Without
    entities, there are arcs from all words.
    """
    words, weights = prediction.words, prediction.outputs["relative_attention"]
    pos, tags = _word_outputs(prediction, "pos"), _tags(prediction)
    places = one_line(words, pos, tags, _word_outputs(prediction, "dep_labels"))
    # The slot of a null memory is not a word.
    attended = [
        (source, target, weights[source][-len(words) :][target])
        for source in targets(prediction)
        for target in strongest(weights[source][-len(words) :], NUM_ATTENDED)
        if target != source
    ]
    height = max((_height(source, target) for source, target, _ in attended), default=0.0) + _SPACE
    largest = max((weight for _, _, weight in attended), default=1.0)
    elements = []
    for source, target, weight in sorted(attended, key=lambda arc: arc[2]):
        start, end = places[source].middle, places[target].middle
        curve, title = path(start, end, height, _height(source, target)), f"{words[source]} → {words[target]}"
        elements.append(weighted_arc(curve, end, height, True, weight, largest, f"{title}: {weight:.3f}"))
    line = height + FONT_SIZE + 2
    for texts, class_ in ((words, ""), (pos, "small faint"), (tags, "small gold")):
        if any(texts):
            elements += [label(text, place.middle, line, class_) for text, place in zip(texts, places, strict=True)]
            line += LINE
    tree, bottom = _tree(prediction, places, line - FONT_SIZE + 2)
    said = "; ".join(f"{words[source]} to {words[target]} {weight:.2f}" for source, target, weight in attended)
    description = f"The sentence {' '.join(words)}, with arcs from words to those that they attend to most: {said}."
    title = f"Attention of {'entities' if prediction.predicted else 'words'}; largest {largest:.2f}"
    return Picture(title, description, extent(places), bottom, elements + tree)


def _height(source: int, target: int) -> float:
    return 18.0 * abs(source - target) ** 0.6


def _tree(prediction: Prediction, places: List[Place], top: float) -> Tuple[List[Element], float]:
    """Draws the tree below `top`, and returns its bottom."""
    words, heads = prediction.words, prediction.outputs.get("heads")
    if heads is None:
        return [], top
    depths = levels([(head - 1, word) for word, head in enumerate(heads) if head])
    bottom = top + _LEVEL * (1 + max(depths.values(), default=0)) + FONT_SIZE
    elements: List[Element] = []
    for word, (head, name) in enumerate(zip(heads, _word_outputs(prediction, "dep_labels"), strict=True)):
        end = places[word].middle
        if head == 0:
            stroke = f"M{end:.1f} {bottom:.1f} V{top:.1f}"
            elements.append(element("path", "tree", title=f"root: {words[word]}", d=stroke))
            continue
        start, depth = places[head - 1].middle, _LEVEL * depths[head - 1, word]
        # Arcs from one head start beside one another.
        start += 4.0 if end > start else -4.0
        title = f"{words[head - 1]} → {words[word]}: {name}" if name else f"{words[head - 1]} → {words[word]}"
        elements.append(element("path", "tree", title=title, d=path(start, end, top, -depth)))
        elements.append(label(name, (start + end) / 2, top + depth + 10.0, "small faint"))
    return elements, bottom


def relative_attention(prediction: Prediction) -> Picture:
    """
    Draws the matrix of the weights of each word, in rows, on the words, in columns: Figure 4 of Aguilar and Solorio
    (2019). Or its weights on the slots of a memory of the sentence.
    """
    weights, words = prediction.outputs["relative_attention"], prediction.words
    columns = [*[NULL] * (len(weights[0]) - len(words)), *words]
    elements, width, height = heat_map(weights, words, columns)
    largest, row, column = max((weight, i, j) for i, line in enumerate(weights) for j, weight in enumerate(line))
    description = (
        f"A matrix: each row is a word, each cell the weight that it gives to the word of the column. The largest is "
        f"{largest:.2f}, of {words[row]} to {columns[column]}."
    )
    return Picture(f"Attention, row to column; largest {largest:.2f}", description, width, height, elements)


def global_attention(prediction: Prediction) -> Picture:
    """
    Draws the words on shades, as dark as the weights of the sentence on them, with the gold tags, if known, and the
    predicted tags below: Figure 5 of Aguilar and Solorio (2019).
    """
    words, weights = prediction.words, prediction.outputs["global_attention"]
    largest = max(weights) or 1.0
    below = [
        ([f"{weight:.2f}" for weight in weights], "small faint"),
        (_tags(prediction, "gold_tags"), "small"),
        (_tags(prediction), "small gold"),
    ]
    shares = [weight / largest for weight in weights]
    elements, width, height = shaded_words(words, shares, below, "share of the largest weight")
    most = ", ".join(f"{words[position]} {weights[position]:.2f}" for position in strongest(weights, 3))
    description = f"The sentence {' '.join(words)}, each word as strong as the weight that is on it; most: {most}."
    return Picture(f"Global attention; largest {largest:.2f}", description, width, height, elements)


def gate(prediction: Prediction) -> Picture:
    """
    Draws the words on shades, as dark as the gate of Rei, Crichton and Pyysalo (2016): dark where a word's own vector
    counts more, faint where its characters do.
    """
    words, values = prediction.words, prediction.outputs["gate"]
    below = [([f"{value:.2f}" for value in values], "small faint"), (_tags(prediction), "small gold")]
    elements, width, height = shaded_words(words, values, below, "gate")
    least, most = (choose(range(len(words)), key=values.__getitem__) for choose in (min, max))
    description = (
        f"The sentence {' '.join(words)}, each word as strong as its gate: from {values[least]:.2f} of {words[least]}, "
        f"whose characters count most, to {values[most]:.2f} of {words[most]}."
    )
    return Picture("Gate: strong is the word, faint its characters", description, width, height, elements)


def gate_features(prediction: Prediction) -> Picture:
    """Draws the gate of each feature: a row for each word, and a column for each feature, in the order of means."""
    words, values = prediction.words, prediction.outputs["gate_features"]
    means = [sum(column) / len(words) for column in zip(*values, strict=True)]
    order = sorted(range(len(means)), key=lambda feature: -means[feature])
    rows = [[row[feature] for feature in order] for row in values]
    elements, width, height = heat_map(rows, words, largest=1.0, cell_width=5.0)
    description = (
        f"A matrix: each row is a word, each column one of {len(means)} features, by the mean of its gate, from "
        f"{max(means):.2f} to {min(means):.2f}; strong cells take the feature of the word's vector, faint ones that of "
        "its characters."
    )
    title = "Gate by feature, in the order of means: strong is the word"
    return Picture(title, description, width, height, elements)
