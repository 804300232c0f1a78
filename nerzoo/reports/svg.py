"""Elements of SVG, pictures made of them, and the places of words in a picture."""

import unicodedata
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple
from xml.etree.ElementTree import Element, SubElement, tostring

FONT_SIZE = 13

# Without CSS variables, which some SVG viewers do not support.
STYLE = "\n" + (Path(__file__).parent / "templates/drawings.css").read_text(encoding="utf-8")
NUM_TYPES = 6
"""The number of colours of types."""

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
