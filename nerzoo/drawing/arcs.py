"""Arcs between words that stand on one line."""

from typing import Dict, List, Sequence, Tuple
from xml.etree.ElementTree import Element

from nerzoo.drawing.svg import element, group


def levels(arcs: Sequence[Tuple[int, int]]) -> Dict[Tuple[int, int], int]:
    """Of each arc between two positions how high it is, from 1: above all shorter ones that share a gap with it."""
    found: Dict[Tuple[int, int], int] = {}
    for arc in sorted(set(arcs), key=lambda arc: (abs(arc[0] - arc[1]), arc)):
        low, high = sorted(arc)
        below = (level for other, level in found.items() if max(low, min(other)) < min(high, max(other)))
        found[arc] = 1 + max(below, default=0)
    return found


def path(start: float, end: float, line: float, height: float) -> str:
    """The path of an arc from one x to another, above the line, or below it with a negative height."""
    # A cubic curve is three quarters as high as its control points.
    top = line - height * 4 / 3
    return f"M{start:.1f} {line:.1f} C{start:.1f} {top:.1f} {end:.1f} {top:.1f} {end:.1f} {line:.1f}"


def weighted_arc(curve: str, x: float, y: float, down: bool, weight: float, largest: float, title: str) -> Element:
    """
    An arc as dark as its weight, with a head at (x, y), where it ends.

    # Parameters

    curve : `str`
        Its path.
    x, y : `float`
    down : `bool`
        Whether the head points downwards.
    weight, largest : `float`
        Its weight, and that of the darkest arc of the picture.
    title : `str`
    """
    opacity = weight / largest
    size = -6 if down else 6
    children = [
        element("path", "arc", d=curve, stroke_opacity=opacity),
        element("path", "shade", d=f"M{x:.1f} {y:.1f} l-3.5 {size} h7 z", fill_opacity=opacity),
    ]
    return group(children, title=title)


def strongest(weights: Sequence[float], number: int) -> List[int]:
    """The positions of the largest weights, the largest first; none of zero."""
    order = sorted(range(len(weights)), key=lambda position: -weights[position])
    return [position for position in order[:number] if weights[position] > 0]
