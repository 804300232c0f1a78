"""The drawings of a prediction, and files of drawings."""

import json
import logging
import shlex
from html import escape
from itertools import repeat
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple
from xml.etree.ElementTree import Element, tostring

from allennlp.common.checks import ConfigurationError

from nerzoo.errors import format_error
from nerzoo.files import write_text
from nerzoo.formats.jsonl import Prediction, linked_posts, read_predictions
from nerzoo.formats.lines import is_probability
from nerzoo.reports.attention_drawings import (
    attention_arcs,
    gate,
    gate_features,
    global_attention,
    link_attention,
    links,
    memory,
    relative_attention,
)
from nerzoo.reports.svg import (
    FONT_SIZE,
    LINE,
    STYLE,
    Picture,
    element,
    extent,
    group,
    label,
    several_lines,
    shaded,
    svg,
    text_width,
    to_text,
)
from nerzoo.text.annotation import Entity
from nerzoo.text.palette import PAGE_STYLE, TypeNumbers

logger = logging.getLogger(__name__)

_PADDING = 4.0


def entities(prediction: Prediction, numbers: Optional[TypeNumbers] = None) -> Picture:
    """
    Draws the words with a box around each entity, in the colour of its type; boxes of nested entities are nested.
    Pictures of one page share the `numbers` of types.
    """
    numbers = TypeNumbers() if numbers is None else numbers
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
    probabilities = dict(zip(found, prediction.probabilities or repeat(None), strict=False))
    elements = []
    for entity in sorted(found, key=lambda entity: -depths[entity]):
        depth, first, last = depths[entity], places[entity.start], places[entity.end - 1]
        space, line = _PADDING * depth, first.row * height + top - LINE * depth
        size = {"width": last.right - first.left + 2 * space, "height": LINE * (depth + 1) + space}
        box = element("rect", f"type-{numbers[entity.label]}", x=first.left - space, y=line, **size, rx=3)
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


class Drawing(NamedTuple):
    """A kind of drawing."""

    picture: Callable[[Prediction], Picture]
    reads: str
    """The output of the model that is drawn."""
    extra_output: Optional[str] = None
    """The extra output that gives it, unless all predictions have it."""


DRAWINGS: Dict[str, Drawing] = {
    "entities": Drawing(entities, "entities"),
    "attention_arcs": Drawing(attention_arcs, "relative_attention", "attention"),
    "relative_attention": Drawing(relative_attention, "relative_attention", "attention"),
    "global_attention": Drawing(global_attention, "global_attention", "attention"),
    "memory": Drawing(memory, "memory", "attention"),
    "gate": Drawing(gate, "gate", "gate"),
    "gate_features": Drawing(gate_features, "gate_features", "gate_features"),
    "decoders": Drawing(decoders, "backward_tags", "backward_tags"),
    "links": Drawing(links, "posts"),
    "link_attention": Drawing(link_attention, "posts", "attention"),
}

_ATTENTIONS = ("relative_attention", "global_attention", "memory")
_WORD_OUTPUTS = ("gate", "gate_features", "backward_tags", "gold_tags", "probabilities", *_ATTENTIONS)
"""The outputs with one value for each word."""

_LAYOUT = """
body { margin: 1rem; background: var(--paper); color: var(--ink); font-family: system-ui, sans-serif }
h2 { font-size: 1rem }
figure { margin: 0 0 2rem; overflow-x: auto }
"""


def draw(path: str, numbers: Sequence[int], output: Path, what: Sequence[str] = ()) -> None:
    """
    Draws the sentences, or threads, with these numbers, from 1, of a file of predictions, into `*.svg`, for one of
    them, or `*.html`. `what` are names of `DRAWINGS`; by default, all drawings for which the prediction has the
    outputs. Raises `ConfigurationError` where the file does not have the sentence, it has no words, a prediction does
    not hold an output that is to be drawn, or the name of the output file ends otherwise.
    """
    if output.suffix not in (".svg", ".html"):
        raise ConfigurationError(f"{output}: found the ending {output.suffix!r}, expected .svg or .html")
    if output.suffix == ".svg" and len(numbers) > 1:
        raise ConfigurationError(f"{output}: found {len(numbers)} sentences for one SVG, expected one, or *.html")
    types = TypeNumbers()
    drawn = [(number, prediction, pictures(prediction, what, types)) for number, prediction in _choose(path, numbers)]
    for name in sorted({name for _, prediction, _ in drawn for name in prediction.outputs.get("without_effect", ())}):
        if not what or name in what:
            logger.warning(
                "%s: the weights of %s have no effect on these predictions and may be those that it was initialised "
                "with: it is in a residual connection and a normalisation. Train with another `norm` of the encoder.",
                path,
                name,
            )
    write_text(output, to_text(svg(drawn[0][2])) if output.suffix == ".svg" else _page(drawn, Path(path).name))


def pictures(prediction: Prediction, what: Sequence[str] = (), types: Optional[TypeNumbers] = None) -> List[Picture]:
    """
    Returns the named pictures of a `drawable` prediction, or all that it has outputs for, with the numbers of the types
    of the page; errors as in `draw`.
    """
    if not prediction.words and "posts" not in prediction.outputs:
        raise format_error(prediction.location, "a sentence without words", "one that something is predicted of")
    names = what or [name for name in DRAWINGS if holds(prediction, name)]
    if not names:
        raise _missing(prediction, "nothing to draw", [each.extra_output for each in DRAWINGS.values()])
    for name in names:
        if not holds(prediction, name):
            raise _missing(prediction, f"no {DRAWINGS[name].reads}", [DRAWINGS[name].extra_output])
    return [entities(prediction, types) if name == "entities" else DRAWINGS[name].picture(prediction) for name in names]


def holds(prediction: Prediction, name: str) -> bool:
    """Returns whether a `drawable` prediction has the outputs for the drawing of a name."""
    if name == "link_attention":
        return all("attention" in post for post in prediction.outputs.get("posts", [{}]))
    return prediction.outputs.get(DRAWINGS[name].reads) is not None


def drawable(prediction: Prediction) -> Prediction:
    """
    Renames the output `attention` by its kind: `relative_attention`, of words to words, (T, T); `global_attention`, of
    the sentence to its words, (T,); or `memory`, to positions of the document. Raises `ConfigurationError` where an
    output does not have a value for each word, or a post of a thread lacks what is drawn of it.
    """
    if not prediction.words:
        if "posts" in prediction.outputs:
            _check_posts(prediction)
        return prediction
    outputs, length = dict(prediction.outputs), len(prediction.words)
    attention = outputs.pop("attention", None)
    if attention is not None:
        outputs[_attention_kind(attention)] = attention
    for name in _WORD_OUTPUTS:
        rows = outputs.get(name)
        if rows is not None and (not isinstance(rows, list) or len(rows) != length):
            found = f"the {name} of {len(rows) if isinstance(rows, list) else 'no'} words"
            raise format_error(prediction.location, found, f"one for each of {length} words")
    for row in outputs.get("relative_attention") or ():
        # The null memory is one more.
        if not isinstance(row, list) or len(row) not in (length, length + 1):
            found = f"weights {row!r:.60} of a word"
            raise format_error(prediction.location, found, f"one for each of {length} words")
    return prediction._replace(outputs=outputs)


def _check_posts(prediction: Prediction) -> None:
    linked, posts = linked_posts(prediction.outputs, prediction.location), prediction.outputs["posts"]
    ids = [post.get("id") for post in posts]
    for post in posts:
        if not isinstance(post.get("id"), str):
            raise format_error(prediction.location, f"the post {post!r}", "one with an id, a string")
    for post in linked:
        is_linked = post["link"] in [None, *ids]
        if not is_linked or not all(is_probability(post.get(f"{name}_probability")) for name in ("link", "act")):
            expected = "a link to a post of the thread, or null, with link_probability and act_probability"
            raise format_error(prediction.location, f"the post {post!r}", expected)
        weights = post.get("attention", [0.0])
        if not isinstance(weights, list) or not 0 < len(weights) <= len(posts) + 1:
            expected = f"a list of weights on at most {len(posts) + 1} posts, the head among them"
            raise format_error(prediction.location, f"the attention {weights!r}", expected)


def _attention_kind(attention: Any) -> str:
    if not isinstance(attention, list):
        return "relative_attention"
    if attention and isinstance(attention[0], float):
        return "global_attention"
    slots = (slot for slots in attention if isinstance(slots, list) for slot in slots)
    return "memory" if all(isinstance(slot, dict) for slot in slots) else "relative_attention"


def _missing(prediction: Prediction, found: str, extra_outputs: Sequence[Optional[str]]) -> ConfigurationError:
    """Makes the error for a prediction without an output that one of the extra outputs gives."""
    names = list(dict.fromkeys(name for name in extra_outputs if name))
    if not names:
        return format_error(prediction.location, found, "predictions of a model that gives them")
    override = shlex.quote(json.dumps({"model.extra_outputs": names[:1]}))
    command = f"nerzoo predict ARCHIVE INPUT --output-file PREDICTIONS -o {override}"
    which = "the extra output " if len(names) == 1 else "one of the extra outputs "
    return format_error(prediction.location, found, f"{which}{', '.join(names)}: {command}")


def _choose(path: str, numbers: Sequence[int]) -> List[Tuple[int, Prediction]]:
    found: Dict[int, Prediction] = {}
    count = 0
    for count, prediction in enumerate(read_predictions(path), 1):
        if count in numbers:
            found[count] = drawable(prediction)
        if len(found) == len(set(numbers)):
            break
    for number in numbers:
        if number not in found:
            raise format_error(path, f"no sentence {number}", f"a number from 1 to {count}")
    return [(number, found[number]) for number in numbers]


def _page(drawn: Sequence[Tuple[int, Prediction, List[Picture]]], name: str) -> str:
    figures = []
    for number, prediction, sentence_pictures in drawn:
        title = escape(" ".join(prediction.words) or str(prediction.outputs.get("id", "")), quote=False)
        drawing = tostring(svg(sentence_pictures, with_style=False), encoding="unicode", method="html")
        figures.append(f'<h2>{number}. {title}</h2><figure tabindex="0">{drawing}</figure>')
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta content="width=device-width" name="viewport">'
        f"<title>Drawings of {escape(name, quote=False)}</title><style>{PAGE_STYLE}{_LAYOUT}{STYLE}</style></head>"
        f"<body>{''.join(figures)}</body></html>\n"
    )
