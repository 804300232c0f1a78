from xml.etree import ElementTree

import pytest

from nerzoo.reports.svg import (
    CELL,
    GAP,
    MAX_WIDTH,
    STYLE,
    Picture,
    element,
    extent,
    group,
    label,
    one_line,
    several_lines,
    svg,
    text_width,
    to_text,
)
from nerzoo.text.palette import TYPES

NAMESPACE = "{http://www.w3.org/2000/svg}"


def test_elements():
    made = element("rect", "shade", title="a <b>", x=1 / 3, fill_opacity=1)
    assert made.attrib == {"class": "shade", "x": "0.3333", "fill-opacity": "1"}
    assert made.find("title").text == "a <b>"
    assert element("text", text="a").text == "a"
    assert group([made], 1, 2).get("transform") == "translate(1 2)"
    assert "transform" not in group([made]).attrib


def test_a_file_is_xml_with_a_title_a_description_and_its_texts():
    pictures = [Picture(f"{n} & 1", f"<{n}>", 400 + n, 50, [label('a < b & "c"', 1, 2)]) for n in range(2)]
    root = ElementTree.fromstring(to_text(svg(pictures)))
    assert root.find(f"{NAMESPACE}title").text == "0 & 1; 1 & 1"
    assert root.find(f"{NAMESPACE}desc").text == "<0> <1>"
    assert root.get("role") == "img"
    assert [text.text for text in root.iter(f"{NAMESPACE}text")] == ["0 & 1", 'a < b & "c"', "1 & 1", 'a < b & "c"']
    assert float(root.get("width")) > 401
    assert "prefers-color-scheme: dark" in root.find(f"{NAMESPACE}style").text
    assert svg(pictures, with_style=False).find("style") is None


def test_each_type_has_a_colour_in_light_and_in_dark():
    for number in range(len(TYPES)):
        assert STYLE.count(f".type-{number} ") == 2
    assert "var(" not in STYLE


def test_width_of_texts():
    assert text_width("abc") == pytest.approx(3 * CELL)
    assert text_width("北京") == pytest.approx(4 * CELL)
    assert text_width("e\u0301") == pytest.approx(CELL)


def test_columns_are_as_wide_as_the_widest_text():
    places = one_line(["a", "bcd"], ["xyz", ""], left=5.0)
    assert [place.left for place in places] == pytest.approx([5, 5 + 3 * CELL + GAP])
    assert [place.width for place in places] == pytest.approx([3 * CELL] * 2)
    assert places[0].middle == pytest.approx(5 + 1.5 * CELL)
    assert extent(places) == pytest.approx(5 + 6 * CELL + GAP)


def test_margins():
    places = one_line(["a", "b"], margins=[(3.0, 4.0), (5.0, 0.0)])
    assert [place.left for place in places] == pytest.approx([3, 3 + CELL + 4 + GAP + 5])


def test_lines_are_broken_and_spans_are_not():
    words = ["abcdefghi"] * 30
    free, bound = several_lines(words, left=7.0), several_lines(words, spans=[(8, 12), (9, 10)], left=7.0)
    for places in (free, bound):
        assert extent(places) <= MAX_WIDTH
        for place, following in zip(places, places[1:], strict=False):
            if following.row == place.row:
                assert following.left == pytest.approx(place.right + GAP)
            else:
                assert (following.row, following.left) == (place.row + 1, pytest.approx(7))
    assert len({place.row for place in free[8:12]}) == 2
    assert len({place.row for place in bound[8:12]}) == 1


def test_a_word_that_is_too_wide_has_a_line_of_its_own():
    places = several_lines(["w" * 500, "a", "w" * 500])
    assert [place.row for place in places] == [0, 1, 2]
