"""Drawings of attention, gates, memory and links between posts."""

from itertools import accumulate, chain
from typing import Any, Dict, List, Tuple
from xml.etree.ElementTree import Element

from nerzoo.errors import format_error
from nerzoo.formats.jsonl import Prediction
from nerzoo.reports.svg import (
    FONT_SIZE,
    LINE,
    Picture,
    Place,
    element,
    extent,
    heat_map,
    label,
    levels,
    one_line,
    path,
    several_lines,
    shaded,
    shaded_words,
    strongest,
    text_width,
    weighted_arc,
)

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
    bottom = top + _LEVEL * (1 + max(depths.values(), default=0))
    elements: List[Element] = []
    for word, (head, name) in enumerate(zip(heads, _word_outputs(prediction, "dep_labels"), strict=True)):
        end = places[word].middle
        if head == 0:
            stroke = f"M{end:.1f} {bottom:.1f} V{top:.1f}"
            elements.append(element("path", "tree", title=f"root: {words[word]}", d=stroke))
            elements.append(label(name or "root", end, bottom + FONT_SIZE, "small faint"))
            continue
        start, depth = places[head - 1].middle, _LEVEL * depths[head - 1, word]
        # Arcs from one head start beside one another.
        start += 4.0 if end > start else -4.0
        title = f"{words[head - 1]} → {words[word]}: {name}" if name else f"{words[head - 1]} → {words[word]}"
        elements.append(element("path", "tree", title=title, d=path(start, end, top, -depth)))
        elements.append(label(name, (start + end) / 2, top + depth + 10.0, "small faint"))
    return elements, bottom + LINE


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


_ROW = 24.0


def links(prediction: Prediction) -> Picture:
    """
    Draws the posts of a thread below one another, with their acts, and an arc from each to the post that it replies to,
    as dark as the probability of the link.
    """
    posts = prediction.outputs["posts"]
    rows = {None: 0, **{post["id"]: row for row, post in enumerate(posts, 1)}}
    tagged = [(row, post) for row, post in enumerate(posts, 1) if not post.get("context")]
    width = max(_reach(row - rows[post["link"]]) for row, post in tagged) + 12
    elements: List[Element] = [label(NULL, width, FONT_SIZE, anchor="start")]
    texts = [
        post["id"] if post.get("context") else f"{post['id']}  {post['act']} {post['act_probability']:.2f}{_gold(post)}"
        for post in posts
    ]
    for row, text in enumerate(texts, 1):
        elements.append(label(text, width, row * _ROW + FONT_SIZE, anchor="start"))
    for row, post in tagged:
        start, end = (place * _ROW + 0.7 * FONT_SIZE for place in (row, rows[post["link"]]))
        x, bend = width - 6, width - 6 - _reach(row - rows[post["link"]]) * 4 / 3
        curve = f"M{x:.1f} {start:.1f} C{bend:.1f} {start:.1f} {bend:.1f} {end:.1f} {x:.1f} {end:.1f}"
        probability = post["link_probability"]
        title = f"{post['id']} → {post['link'] or NULL}: {probability:.3f}"
        elements.append(weighted_arc(curve, x, end, False, probability, 1.0, title))
    said = "; ".join(
        f"{post['id']} replies to {'nothing' if post['link'] is None else post['link']} ({post['act']})"
        for _, post in tagged
    )
    return Picture(
        "Links of posts, as strong as probable",
        f"A thread of {len(posts)} posts: {said}.",
        width + max(map(text_width, texts)),
        (len(posts) + 1) * _ROW,
        elements,
    )


def link_attention(prediction: Prediction) -> Picture:
    """Draws the matrix of the weights of posts, in rows, on the head of the thread and on posts, in columns."""
    posts = prediction.outputs["posts"]
    names = [str(post["id"]) for post in posts]
    tagged = [post for post in posts if not post.get("context")]
    weights = [post["attention"] for post in tagged]
    elements, width, height = heat_map(weights, [str(post["id"]) for post in tagged], [NULL, *names])
    description = "A matrix: each row is a post, each cell the weight that it gives to the post of the column."
    largest = max(max(row) for row in weights)
    return Picture(f"Attention of posts; largest {largest:.2f}", description, width, height, elements)


def _reach(distance: int) -> float:
    return 14.0 * distance**0.6


def _gold(post: Dict[str, Any]) -> str:
    gold = ", ".join(f"{link['act']} of {link['to'] or NULL}" for link in post.get("gold_links") or ())
    return f"  (gold: {gold})" if gold else ""


_CONTEXT = 3  # The number of words that are shown on either side of an attended word in an earlier sentence.
_FAINTEST = 0.02  # Weights below this share of the largest one are not drawn.
_HEIGHT = 46.0  # The height of a line, with room for arcs to it.
_ELLIPSIS = "…"


def memory(prediction: Prediction) -> Picture:
    """
    Draws arcs from the words of entities to earlier positions of the document, as in Table 3 of Liu et al. (2017): the
    sentence at the bottom, and above it the attended words with their neighbours, a line for each sentence. The weight
    of a word on itself is a shade. Without entities, there are arcs from all words. Raises `ConfigurationError` where
    the sentences before this one in its document are not those of the memory.
    """
    starts = [0, *accumulate(map(len, prediction.before))]
    words = [*(word for sentence in prediction.before for word in sentence), *prediction.words]
    start = starts[-1]
    slots = [(start + target, slot) for target in targets(prediction) for slot in prediction.outputs["memory"][target]]
    for _, slot in slots:
        position = slot["position"]
        if position is not None and not (position < len(words) and words[position] == slot["word"]):
            found = f"attention to {slot['word']!r} at position {position} of the document, where it is not"
            expected = "the sentences of a document one after the other, with a doc_id"
            raise format_error(prediction.location, found, expected)
    largest = max((slot["weight"] for _, slot in slots), default=1.0)
    slots = [(source, slot) for source, slot in slots if slot["weight"] >= _FAINTEST * largest]
    lines = _lines(starts, words, [slot["position"] for _, slot in slots])
    places, word_elements, height = _place(lines, words, starts)
    by_weight = sorted(slots, key=lambda pair: pair[1]["weight"])
    # Shades are behind words.
    elements = [*(_attention(source, slot, places, words, largest) for source, slot in by_weight), *word_elements]
    said = "; ".join(
        f"{words[source]} ({source}) to {slot['word'] or NULL} ({slot['position']}) {slot['weight']:.2f}"
        for source, slot in slots
    )
    width = max(place.right for place, _ in places.values())
    description = f"A sentence below those before it in its document, with arcs from its words: {said}."
    title = f"Memory of {'entities' if prediction.predicted else 'words'}; largest {largest:.2f}"
    return Picture(title, description, width, height, elements)


def _lines(starts: List[int], words: List[str], attended: List[Any]) -> List[List[int]]:
    """Returns the positions to show: those around attended words of each earlier sentence, and the whole last one."""
    lines: List[List[int]] = [[-1]] if None in attended else []
    for first, end in zip(starts, starts[1:], strict=False):
        inside = [position for position in attended if position is not None and first <= position < end]
        around = (range(max(first, place - _CONTEXT), min(end, place + _CONTEXT + 1)) for place in inside)
        if inside:
            lines.append(sorted(set(chain.from_iterable(around))))
    return [*lines, list(range(starts[-1], len(words)))]


def _place(
    lines: List[List[int]], words: List[str], starts: List[int]
) -> Tuple[Dict[int, Tuple[Place, float]], List[Element], float]:
    """
    Returns the place of each position, with the top of its line, the drawn words, and their bottom. Position -1 is the
    null memory.
    """
    places: Dict[int, Tuple[Place, float]] = {}
    elements: List[Element] = []
    top = 0.0
    for line in lines:
        shown = []
        for before, position in zip([-1, *line[:-1]], line, strict=True):
            is_after_gap = position >= 0 and position not in starts and position - 1 != before
            shown.append(f"{_ELLIPSIS} " * is_after_gap + (NULL if position < 0 else words[position]))
        class_ = "faint" if line[0] < starts[-1] else ""
        line_places = several_lines(shown)
        for position, text, place in zip(line, shown, line_places, strict=True):
            line_top = top + place.row * _HEIGHT + _HEIGHT - LINE
            places[position] = (place, line_top)
            elements.append(label(text, place.middle, line_top + FONT_SIZE, class_))
        top += (line_places[-1].row + 1) * _HEIGHT
    return places, elements, top


def _attention(
    source: int, slot: Dict[str, Any], places: Dict[int, Tuple[Place, float]], words: List[str], largest: float
) -> Element:
    target = -1 if slot["position"] is None else slot["position"]
    place, top = places[source]
    other, other_top = places[target]
    weight = slot["weight"]
    title = f"{words[source]} → {slot['word'] or NULL} ({slot['position']}): {weight:.3f}"
    if source == target:
        return shaded(place, top - 1, LINE, 3, "shade", title, fill_opacity=0.5 * weight / largest)
    if other_top == top:
        curve = path(place.middle, other.middle, top, 0.6 * (_HEIGHT - LINE))
        return weighted_arc(curve, other.middle, top, True, weight, largest, title)
    end = other_top + LINE
    bend = (top - end) / 2
    curve = (
        f"M{place.middle:.1f} {top:.1f} C{place.middle:.1f} {top - bend:.1f} "
        f"{other.middle:.1f} {end + bend:.1f} {other.middle:.1f} {end:.1f}"
    )
    return weighted_arc(curve, other.middle, end, False, weight, largest, title)
