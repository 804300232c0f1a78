import math
from itertools import combinations

import numpy
import pytest

from nerzoo.text.palette import FILL, PAGE, PAGE_STYLE, TYPES, TypeNumbers, displacy_colours, filled


def channels(colour):
    """Red, green and blue, from 0 to 1."""
    return [value / 255 for value in bytes.fromhex(colour[1:])]


def linear(colour):
    return [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in colour]


def contrast(first, second):
    """The contrast ratio of the Web Content Accessibility Guidelines 2.2."""
    luminances = [numpy.dot((0.2126, 0.7152, 0.0722), linear(each)) for each in (first, second)]
    return (max(luminances) + 0.05) / (min(luminances) + 0.05)


def oklab(colour):
    """The perceptual coordinates of Ottosson (2020)."""
    red, green, blue = linear(channels(colour))
    cones = (
        0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue,
        0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue,
        0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue,
    )
    long, medium, short = (value ** (1 / 3) for value in cones)
    return (
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
    )


def test_contrast_and_distance_of_known_colours():
    assert contrast([0, 0, 0], [1, 1, 1]) == pytest.approx(21)
    assert contrast(channels("#777777"), [1, 1, 1]) == pytest.approx(4.48, abs=0.01)
    assert oklab("#ffffff") == pytest.approx((1, 0, 0), abs=1e-3)
    assert oklab("#ff0000") == pytest.approx((0.628, 0.225, 0.126), abs=1e-3)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_text_is_legible(mode):
    page = {name: channels(getattr(colour, mode)) for name, colour in PAGE.items()}
    for name in ("ink", "faint", "accent", "error"):
        assert contrast(page[name], page["paper"]) >= 4.5
    assert contrast(page["line"], page["paper"]) >= 3
    for colour in TYPES:
        label = channels(getattr(colour, mode))
        fill = [FILL * value + (1 - FILL) * paper for value, paper in zip(label, page["paper"], strict=True)]
        assert min(contrast(fill, text) for text in (label, page["ink"])) >= 4.5
        assert contrast(channels(colour.dark), channels(PAGE["ink"].light)) >= 4.5


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_twelve_types_are_distinct(mode):
    colours = [oklab(getattr(colour, mode)) for colour in TYPES]
    assert len(colours) == 12
    assert min(math.dist(*pair) for pair in combinations(colours, 2)) > 0.1


def test_types_are_numbered_as_they_come_and_colours_repeat():
    numbers = TypeNumbers()
    assert [numbers[label] for label in ("politicalparty", "election", "politicalparty")] == [0, 1, 0]
    assert [numbers[str(each)] for each in range(11)] == [*range(2, 12), 0]
    assert displacy_colours(["election", "country", "election"]) == {"election": "#5fafff", "country": "#ff5f00"}


def test_style():
    assert "  --type-11: light-dark(#005566, #5fafaf);\n" in PAGE_STYLE
    assert filled("a { fill: var(--type-1); stroke: var(--ink) }", True) == "a { fill: #ff5f00; stroke: #e6edf3 }"
