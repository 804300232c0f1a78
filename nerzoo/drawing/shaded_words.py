"""Words on lines, each on a shade, with texts below."""

from typing import List, Optional, Sequence, Tuple
from xml.etree.ElementTree import Element

from nerzoo.drawing.layout import LINE, extent, several_lines
from nerzoo.drawing.svg import FONT_SIZE, element, label

_DARKEST = 0.6  # that text can still be read on
_SPACE = 10.0


def shaded_words(
    words: Sequence[str], shares: Sequence[float], below: Sequence[Tuple[Optional[Sequence[str]], str]], what: str
) -> Tuple[List[Element], float, float]:
    """
    # Parameters

    words : `Sequence[str]`
    shares : `Sequence[float]`
        Of each word how dark its shade is, from 0 to 1.
    below : `Sequence[Tuple[Optional[Sequence[str]], str]]`
        Texts below the words, if there are some, and their class.
    what : `str`
        What is written in front of the share, where shades are named.

    # Returns

    `Tuple[List[Element], float, float]`
        The elements, and width and height.
    """
    rows = [(texts, class_) for texts, class_ in below if texts and any(texts)]
    places = several_lines(words, *(texts for texts, _ in rows), left=4.0)
    height = LINE * (1 + len(rows)) + _SPACE
    elements: List[Element] = []
    for position, (word, share, place) in enumerate(zip(words, shares, places, strict=True)):
        top = place.row * height
        shade = element(
            "rect",
            "shade",
            title=f"{word}: {what} {share:.3f}",
            x=place.left - 4,
            y=top,
            width=place.width + 8,
            height=LINE,
            fill_opacity=_DARKEST * share,
        )
        elements += [shade, label(word, place.middle, top + FONT_SIZE)]
        for number, (texts, class_) in enumerate(rows, 1):
            elements.append(label(texts[position], place.middle, top + FONT_SIZE + number * LINE, class_))
    return elements, extent(places) + 4, (places[-1].row + 1) * height
