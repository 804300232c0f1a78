"""What of a prediction can be drawn, and files of drawings."""

import json
import shlex
from pathlib import Path
from typing import Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple
from xml.etree.ElementTree import Element, tostring

from allennlp.common.checks import ConfigurationError

from nerzoo.errors import format_error
from nerzoo.files import write_text
from nerzoo.reports.attention_drawings import attention_arcs, gate, gate_features, global_attention, relative_attention
from nerzoo.reports.drawn_prediction import Prediction, read_predictions
from nerzoo.reports.memory_drawings import link_attention, links, memory
from nerzoo.reports.svg import STYLE, Picture, element, svg, to_text
from nerzoo.reports.tag_drawings import decoders, entities


class Drawing(NamedTuple):
    """A kind of drawing."""

    picture: Callable[[Prediction], Picture]
    reads: str
    """What a prediction must hold."""
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

_PAGE_STYLE = """
:root { color-scheme: light dark }
body { margin: 1rem; background: #ffffff; color: #1b1f24; font-family: system-ui, sans-serif }
h2 { font-size: 1rem }
figure { margin: 0 0 2rem; overflow-x: auto }
@media (prefers-color-scheme: dark) { body { background: #0d1117; color: #e6edf3 } }
"""


def draw(path: str, numbers: Sequence[int], output: Path, what: Sequence[str] = ()) -> None:
    """
    Draws sentences of a file of predictions.

    # Parameters

    path : `str`
        What `allennlp predict` or `allennlp tag` wrote.
    numbers : `Sequence[int]`
        Which sentences, or threads, of the file, counted from 1.
    output : `Path`
        `*.svg`, for one sentence, or `*.html`.
    what : `Sequence[str]`, optional
        Names of `DRAWINGS`; by default, all that the prediction holds something for.

    # Raises

    `ConfigurationError` where the file does not have the sentence, it has no words, a prediction does not hold what is
    to be drawn, or the output is no file of these.
    """
    if output.suffix not in (".svg", ".html"):
        raise ConfigurationError(f"{output}: found the ending {output.suffix!r}, expected .svg or .html")
    if output.suffix == ".svg" and len(numbers) > 1:
        raise ConfigurationError(f"{output}: found {len(numbers)} sentences for one SVG, expected one, or *.html")
    drawn = [(number, prediction, pictures(prediction, what)) for number, prediction in _choose(path, numbers)]
    if output.suffix == ".svg":
        ((_, _, of_sentence),) = drawn
        write_text(output, to_text(svg(of_sentence)))
    else:
        write_text(output, _page(drawn, Path(path).name))


def pictures(prediction: Prediction, what: Sequence[str] = ()) -> List[Picture]:
    """The pictures of a prediction: those named, or all that it holds something for; errors as in `draw`."""
    if prediction.sentence is not None and not prediction.words:
        raise format_error(prediction.location, "a sentence without words", "one that something is predicted of")
    names = what or [name for name in DRAWINGS if holds(prediction, name)]
    if not names:
        raise _missing(prediction, "nothing to draw", [each.extra_output for each in DRAWINGS.values()])
    for name in names:
        if not holds(prediction, name):
            raise _missing(prediction, f"no {DRAWINGS[name].reads}", [DRAWINGS[name].extra_output])
    return [DRAWINGS[name].picture(prediction) for name in names]


def holds(prediction: Prediction, name: str) -> bool:
    """Whether a prediction has what the drawing of a name needs."""
    values = prediction.values
    if name == "link_attention":
        return all("attention" in post for post in values.get("posts", [{}]))
    return values.get(DRAWINGS[name].reads) is not None


def _missing(prediction: Prediction, found: str, extra_outputs: Sequence[Optional[str]]) -> ConfigurationError:
    """The error of a prediction that does not hold what one of the extra outputs gives."""
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
            found[count] = prediction
        if len(found) == len(set(numbers)):
            break
    for number in numbers:
        if number not in found:
            raise format_error(path, f"no sentence {number}", f"a number from 1 to {count}")
    return [(number, found[number]) for number in numbers]


def _page(drawn: Sequence[Tuple[int, Prediction, List[Picture]]], name: str) -> str:
    page = element("html", lang="en")
    head, body = element("head"), element("body")
    page.extend([head, body])
    head.append(element("meta", charset="utf-8"))
    viewport = element("meta", content="width=device-width")
    viewport.set("name", "viewport")
    head.append(viewport)
    head.append(element("title", text=f"Drawings of {name}"))
    head.append(element("style", text=_PAGE_STYLE + STYLE))
    for number, prediction, of_sentence in drawn:
        body.append(element("h2", text=f"{number}. {' '.join(prediction.words) or prediction.values.get('id', '')}"))
        figure = element("figure", tabindex=0)
        figure.append(svg(of_sentence, with_style=False))
        body.append(figure)
    return "<!DOCTYPE html>\n" + _html(page)


def _html(page: Element) -> str:
    return tostring(page, encoding="unicode", method="html") + "\n"
