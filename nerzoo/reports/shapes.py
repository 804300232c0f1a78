"""Arcs between words, matrices of weights, and words on a shade."""

from typing import Any, Dict, List, Optional, Sequence, Tuple
from xml.etree.ElementTree import Element

from nerzoo.reports.svg import FONT_SIZE, LINE, Place, element, extent, group, label, several_lines, text_width

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
