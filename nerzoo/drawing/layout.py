"""Where words are in a picture: beside one another, each as wide as its text, on one line or on several."""

import unicodedata
from typing import List, NamedTuple, Optional, Sequence, Tuple

from nerzoo.drawing.svg import FONT_SIZE

CELL = 0.6021 * FONT_SIZE
"""The width of a character of the font, all of whose characters have one width."""

LINE = 17.0
"""The height of a line of text."""

GAP = 12.0
"""The space between words."""

MAX_WIDTH = 960.0
"""The width of a picture whose words are on several lines, unless one of them is wider."""


class Place(NamedTuple):
    """The place of a word: its column from `left` on, and the row of the picture that it is in, from 0."""

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
    """The width of a text; wide characters, such as Chinese ones, count twice, combining ones not at all."""
    return CELL * sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )


def one_line(
    *texts: Sequence[str], left: float = 0.0, margins: Optional[Sequence[Tuple[float, float]]] = None
) -> List[Place]:
    """
    The places of words on one line.

    # Parameters

    *texts : `Sequence[str]`
        The words, and other texts that stand below them: a column is as wide as the widest of its texts.
    left : `float`, optional (default = `0.0`)
        Where the first word is.
    margins : `Sequence[Tuple[float, float]]`, optional
        More space, to the left and to the right of each word.
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
    The places of words on as many lines of `MAX_WIDTH` as they need.

    # Parameters

    *texts : `Sequence[str]`
        As in `one_line`.
    spans : `Sequence[Tuple[int, int]]`, optional
        Words that stay on one line: starts and ends, exclusive.
    left : `float`, optional (default = `0.0`)
        Where lines start.
    margins : `Sequence[Tuple[float, float]]`, optional
        As in `one_line`.
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
    """The width of a picture with these places."""
    return max(place.right for place in places)
