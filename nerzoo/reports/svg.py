"""Pictures as SVG: elements, the places of words, arcs between words, matrices of weights, and words on a shade."""

import unicodedata
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple
from xml.etree.ElementTree import Element, SubElement, tostring

from nerzoo.text.palette import FILL, TYPES, filled

FONT_SIZE = 13

_RULES = (Path(__file__).parent / "templates/drawings.css").read_text(encoding="utf-8") + "".join(
    f".type-{number} {{ fill: var(--type-{number}); fill-opacity: {FILL}; stroke: var(--type-{number}) }}\n"
    for number in range(len(TYPES))
)
STYLE = f"\n{filled(_RULES, False)}@media (prefers-color-scheme: dark) {{\n{filled(_RULES, True)}}}\n"

_MARGIN = 12.0
_TITLE_HEIGHT = 26.0


class Picture(NamedTuple):
    """Elements from (0, 0) to (width, height), with a title and a description in words."""

    title: str
    description: str
    width: float
    height: float
    elements: List[Element]


def element(name: str, class_: str = "", text: Optional[str] = None, title: str = "", **attributes: object) -> Element:
    """
    Makes an element: a `rect`, a `path` and so on. Browsers show its `title` beside the pointer; an element has a title
    or a text. Numbers in `attributes` are rounded, and `_` in their names stands for `-`.
    """
    made = Element(name, {"class": class_} if class_ else {})
    for key, value in attributes.items():
        made.set(key.replace("_", "-"), f"{round(value, 4):g}" if isinstance(value, float) else str(value))
    if title:
        SubElement(made, "title").text = title
    elif text is not None:
        made.text = text
    return made


def label(text: str, x: float, y: float, class_: str = "", anchor: str = "middle", **attributes: Any) -> Element:
    """Makes a text on the line y, with its middle, `start` or `end` at x."""
    return element("text", class_, text, x=x, y=y, text_anchor=anchor, **attributes)


def group(children: Sequence[Element], x: float = 0.0, y: float = 0.0, title: str = "") -> Element:
    """Puts elements into a group, which is moved by (x, y)."""
    made = element("g", title=title)
    if x or y:
        made.set("transform", f"translate({x:g} {y:g})")
    made.extend(children)
    return made


def svg(pictures: Sequence[Picture], with_style: bool = True) -> Element:
    """
    Makes one `svg` element with the pictures below one another, each under its title. A page with several such elements
    needs their `STYLE` only once.
    """
    width = max(max(picture.width for picture in pictures), 320.0) + 2 * _MARGIN
    height = sum(picture.height + _TITLE_HEIGHT + _MARGIN for picture in pictures) + _MARGIN
    size: Dict[str, Any] = {"width": width, "height": height, "viewBox": f"0 0 {width:g} {height:g}"}
    root = element("svg", xmlns="http://www.w3.org/2000/svg", **size, role="img")
    SubElement(root, "title").text = "; ".join(picture.title for picture in pictures)
    SubElement(root, "desc").text = " ".join(picture.description for picture in pictures)
    if with_style:
        SubElement(root, "style").text = STYLE
    root.append(element("rect", "paper", width="100%", height="100%"))
    top = _MARGIN
    for picture in pictures:
        root.append(label(picture.title, _MARGIN, top + FONT_SIZE, "title", "start"))
        root.append(group(picture.elements, _MARGIN, top + _TITLE_HEIGHT))
        top += picture.height + _TITLE_HEIGHT + _MARGIN
    return root


def to_text(root: Element) -> str:
    """Returns the text of an SVG file."""
    return tostring(root, encoding="unicode") + "\n"


CELL = 0.6021 * FONT_SIZE  # The width of a character of the monospaced font.
LINE = 17.0  # The height of a line of text.
GAP = 12.0  # The space between words.
MAX_WIDTH = 960.0  # The width of a picture with words on several lines, unless a word is wider.


class Place(NamedTuple):
    """The place of a word: the left end and the width of its column, and its row in the picture, from 0."""

    left: float
    width: float
    row: int = 0

    @property
    def middle(self) -> float:
        return self.left + self.width / 2

    @property
    def right(self) -> float:
        return self.left + self.width


def text_width(text: str) -> float:
    """Returns the width of a text; wide characters, such as Chinese ones, count twice, combining ones not at all."""
    return CELL * sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )


def one_line(
    *texts: Sequence[str], left: float = 0.0, margins: Optional[Sequence[Tuple[float, float]]] = None
) -> List[Place]:
    """
    Places words on one line. A column is as wide as the widest of its texts: a word, and the texts below it. The first
    word starts at `left`; `margins` are additional space to the left and to the right of each word.
    """
    places = []
    for (before, after), *column in zip(margins or [(0.0, 0.0)] * len(texts[0]), *texts, strict=True):
        places.append(Place(left + before, max(map(text_width, column))))
        left = places[-1].right + after + GAP
    return places


def several_lines(
    *texts: Sequence[str],
    spans: Sequence[Tuple[int, int]] = (),
    left: float = 0.0,
    margins: Optional[Sequence[Tuple[float, float]]] = None,
) -> List[Place]:
    """
    Places words on as many lines of `MAX_WIDTH` as they need. The words of each of the `spans`, given by start and
    end, exclusive, stay on one line. Other parameters are as in `one_line`.
    """
    columns = one_line(*texts, left=left, margins=margins)
    bound = {position for start, end in spans for position in range(start + 1, end)}
    starts = [position for position in range(len(columns)) if position not in bound]
    places: List[Place] = []
    row, shift = 0, 0.0
    for start, end in zip(starts, [*starts[1:], len(columns)], strict=True):
        if places and columns[end - 1].right - shift > MAX_WIDTH:
            row, shift = row + 1, columns[start].left - left
        places += [Place(column.left - shift, column.width, row) for column in columns[start:end]]
    return places


def extent(places: Sequence[Place]) -> float:
    """Returns the width of a picture with these places."""
    return max(place.right for place in places)


Drawn = Tuple[List[Element], float, float]
"""Elements, and their width and height."""


def levels(arcs: Sequence[Tuple[int, int]]) -> Dict[Tuple[int, int], int]:
    """Returns the height of each arc between two positions, from 1: above all shorter arcs that it overlaps."""
    found: Dict[Tuple[int, int], int] = {}
    for arc in sorted(set(arcs), key=lambda arc: (abs(arc[0] - arc[1]), arc)):
        low, high = sorted(arc)
        below = (level for other, level in found.items() if max(low, min(other)) < min(high, max(other)))
        found[arc] = 1 + max(below, default=0)
    return found


def path(start: float, end: float, line: float, height: float) -> str:
    """Returns the path of an arc from one x to another, above the line, or below it with a negative height."""
    # A cubic curve is three quarters as high as its control points.
    top = line - height * 4 / 3
    return f"M{start:.1f} {line:.1f} C{start:.1f} {top:.1f} {end:.1f} {top:.1f} {end:.1f} {line:.1f}"


def weighted_arc(curve: str, x: float, y: float, down: bool, weight: float, largest: float, title: str) -> Element:
    """
    Draws an arc along a path, as dark as its weight in relation to the largest one, with an arrow head at its end, (x,
    y), that points up or down.
    """
    opacity = weight / largest
    size = -6 if down else 6
    arc = element("path", "arc", d=curve, stroke_opacity=opacity)
    head = element("path", "shade", d=f"M{x:.1f} {y:.1f} l-3.5 {size} h7 z", fill_opacity=opacity)
    return group([arc, head], title=title)


def strongest(weights: Sequence[float], number: int) -> List[int]:
    """Returns the positions of the largest weights, except zeros, the largest first."""
    order = sorted(range(len(weights)), key=lambda position: -weights[position])
    return [position for position in order[:number] if weights[position] > 0]


_HEIGHT = 18.0
_SPACE = 6.0
_FAINTEST = 0.01


def heat_map(
    weights: Sequence[Sequence[float]],
    rows: Sequence[str],
    columns: Optional[Sequence[str]] = None,
    largest: Optional[float] = None,
    cell_width: float = _HEIGHT,
) -> Drawn:
    """
    Draws a matrix of weights, not negative, whose rows may differ in length; each cell is as dark as its weight in
    relation to the `largest` one, by default the largest of the matrix. Cells of less than a hundredth of it are empty.
    Names of rows are to the left, and names of columns, if given, above and in the titles of cells.
    """
    largest = largest or max((weight for row in weights for weight in row), default=0.0) or 1.0
    left = max(map(text_width, rows)) + _SPACE
    top = max(map(text_width, columns)) + _SPACE if columns else 0.0
    width, height = max(map(len, weights)) * cell_width, len(rows) * _HEIGHT
    elements = [
        label(name, left - _SPACE, top + row * _HEIGHT + FONT_SIZE, anchor="end") for row, name in enumerate(rows)
    ]
    for column, name in enumerate(columns or ()):
        x, y = left + (column + 0.7) * cell_width, top - _SPACE
        elements.append(label(name, x, y, anchor="start", transform=f"rotate(-90 {x:g} {y:g})"))
    for row, row_weights in enumerate(weights):
        for column, weight in enumerate(row_weights):
            if weight >= _FAINTEST * largest:
                title = f"{rows[row]} → {columns[column]}: {weight:.3f}" if columns else ""
                cell = Place(left + column * cell_width, cell_width)
                opacity = weight / largest
                elements.append(shaded(cell, top + row * _HEIGHT, _HEIGHT, 0, "shade", title, fill_opacity=opacity))
    elements.append(element("rect", "frame", x=left, y=top, width=width, height=height))
    # Names of columns that extend beyond the map are within its height.
    return elements, left + width, top + height


_DARKEST = 0.6  # Text remains legible on it.
_LINE_SPACE = 10.0


def shaded_words(
    words: Sequence[str], shares: Sequence[float], below: Sequence[Tuple[Sequence[str], str]], name: str
) -> Drawn:
    """
    Draws words on several lines, each on a shade as dark as its share, from 0 to 1. Shades have titles with the name of
    the shares. `below` has texts below the words, with their class; texts that are all empty are left out.
    """
    rows = [(texts, class_) for texts, class_ in below if any(texts)]
    places = several_lines(words, *(texts for texts, _ in rows), left=4.0)
    height = LINE * (1 + len(rows)) + _LINE_SPACE
    elements: List[Element] = []
    for position, (word, share, place) in enumerate(zip(words, shares, places, strict=True)):
        top = place.row * height
        shade = shaded(place, top, LINE, 4, "shade", f"{word}: {name} {share:.3f}", fill_opacity=_DARKEST * share)
        elements += [shade, label(word, place.middle, top + FONT_SIZE)]
        for number, (texts, class_) in enumerate(rows, 1):
            elements.append(label(texts[position], place.middle, top + FONT_SIZE + number * LINE, class_))
    return elements, extent(places) + 4, (places[-1].row + 1) * height


def shaded(place: Place, top: float, height: float, margin: int, class_: str, title: str, **attributes: Any) -> Element:
    """Draws the rectangle behind a word."""
    left, width = place.left - margin, place.width + 2 * margin
    return element("rect", class_, title=title, x=left, y=top, width=width, height=height, **attributes)
