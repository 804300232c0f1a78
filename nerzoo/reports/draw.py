"""The drawings of a prediction, and files of drawings."""

import json
import shlex
from html import escape
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple
from xml.etree.ElementTree import tostring

from allennlp.common.checks import ConfigurationError

from nerzoo.errors import format_error
from nerzoo.files import write_text
from nerzoo.formats.predictions import Prediction, read_predictions
from nerzoo.reports.attention_drawings import attention_arcs, gate, gate_features, global_attention, relative_attention
from nerzoo.reports.memory_drawings import link_attention, links, memory
from nerzoo.reports.svg import STYLE, Picture, svg, to_text
from nerzoo.reports.tag_drawings import decoders, entities


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

_PAGE_STYLE = """
:root { color-scheme: light dark }
body { margin: 1rem; background: #ffffff; color: #1b1f24; font-family: system-ui, sans-serif }
h2 { font-size: 1rem }
figure { margin: 0 0 2rem; overflow-x: auto }
@media (prefers-color-scheme: dark) { body { background: #0d1117; color: #e6edf3 } }
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
    drawn = [(number, prediction, pictures(prediction, what)) for number, prediction in _choose(path, numbers)]
    write_text(output, to_text(svg(drawn[0][2])) if output.suffix == ".svg" else _page(drawn, Path(path).name))


def pictures(prediction: Prediction, what: Sequence[str] = ()) -> List[Picture]:
    """Returns the named pictures of a `drawable` prediction, or all that it has outputs for; errors as in `draw`."""
    if not prediction.words and "posts" not in prediction.outputs:
        raise format_error(prediction.location, "a sentence without words", "one that something is predicted of")
    names = what or [name for name in DRAWINGS if holds(prediction, name)]
    if not names:
        raise _missing(prediction, "nothing to draw", [each.extra_output for each in DRAWINGS.values()])
    for name in names:
        if not holds(prediction, name):
            raise _missing(prediction, f"no {DRAWINGS[name].reads}", [DRAWINGS[name].extra_output])
    return [DRAWINGS[name].picture(prediction) for name in names]


def holds(prediction: Prediction, name: str) -> bool:
    """Returns whether a `drawable` prediction has the outputs for the drawing of a name."""
    if name == "link_attention":
        return all("attention" in post for post in prediction.outputs.get("posts", [{}]))
    return prediction.outputs.get(DRAWINGS[name].reads) is not None


def drawable(prediction: Prediction) -> Prediction:
    """
    Renames the output `attention` by its kind: `relative_attention`, of words to words, (T, T); `global_attention`, of
    the sentence to its words, (T,); or `memory`, to positions of the document. Raises `ConfigurationError` where an
    output does not have a value for each word.
    """
    if not prediction.words:
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
    command = f"allennlp predict ARCHIVE INPUT --include-package nerzoo --output-file PREDICTIONS -o {override}"
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
        f"<title>Drawings of {escape(name, quote=False)}</title><style>{_PAGE_STYLE}{STYLE}</style></head>"
        f"<body>{''.join(figures)}</body></html>\n"
    )
