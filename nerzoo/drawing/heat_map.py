"""A matrix of weights as cells, each as dark as its weight."""

from typing import List, Optional, Sequence, Tuple
from xml.etree.ElementTree import Element

from nerzoo.drawing.layout import text_width
from nerzoo.drawing.svg import FONT_SIZE, element, label

_HEIGHT = 18.0
_SPACE = 6.0
_FAINTEST = 0.01


def heat_map(
    weights: Sequence[Sequence[float]],
    rows: Sequence[str],
    columns: Optional[Sequence[str]] = None,
    largest: Optional[float] = None,
    cell_width: float = _HEIGHT,
) -> Tuple[List[Element], float, float]:
    """
    # Parameters

    weights : `Sequence[Sequence[float]]`
        Not negative. Rows may be shorter than others.
    rows : `Sequence[str]`
        The names of rows.
    columns : `Sequence[str]`, optional
        The names of columns, which stand above them. Cells are named by them, so that without there is no name for any.
    largest : `float`, optional
        The weight of the darkest cell; by default, the largest one. Cells of less than a hundredth of it are empty.
    cell_width : `float`, optional (default = `18.0`)

    # Returns

    `Tuple[List[Element], float, float]`
        The elements, and width and height.
    """
    largest = largest or max((weight for row in weights for weight in row), default=0.0) or 1.0
    left = max(map(text_width, rows)) + _SPACE
    top = max(map(text_width, columns)) + _SPACE if columns else 0.0
    num_columns = max(map(len, weights))
    width, height = num_columns * cell_width, len(rows) * _HEIGHT
    elements = [
        label(name, left - _SPACE, top + row * _HEIGHT + FONT_SIZE, anchor="end") for row, name in enumerate(rows)
    ]
    for column, name in enumerate(columns or ()):
        x, y = left + (column + 0.7) * cell_width, top - _SPACE
        elements.append(label(name, x, y, anchor="start", transform=f"rotate(-90 {x:g} {y:g})"))
    for row, of_row in enumerate(weights):
        for column, weight in enumerate(of_row):
            if weight < _FAINTEST * largest:
                continue
            elements.append(
                element(
                    "rect",
                    "shade",
                    title=f"{rows[row]} → {columns[column]}: {weight:.3f}" if columns else "",
                    x=left + column * cell_width,
                    y=top + row * _HEIGHT,
                    width=cell_width,
                    height=_HEIGHT,
                    fill_opacity=weight / largest,
                )
            )
    elements.append(element("rect", "frame", x=left, y=top, width=width, height=height))
    # Names of columns that lean out of the map are within its height.
    return elements, left + width, top + height
