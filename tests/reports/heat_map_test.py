import pytest
from helpers.drawings import shades, texts

from nerzoo.reports.shapes import heat_map


def test_cells_are_as_dark_as_their_weights():
    elements, width, height = heat_map([[0.0, 0.5], [0.2, 0.004]], ["a", "b"], ["x", "y"])
    assert shades(elements) == {"a → y: 0.500": 1.0, "b → x: 0.200": pytest.approx(0.4)}
    assert texts(elements) == ["a", "b", "x", "y"]
    cells = {
        each.find("title").text[:5]: (float(each.get("x")), float(each.get("y"))) for each in elements if len(each)
    }
    assert cells["a → y"][0] > cells["b → x"][0]
    assert cells["a → y"][1] < cells["b → x"][1]
    frame = elements[-1]
    assert float(frame.get("x")) + float(frame.get("width")) == pytest.approx(width, abs=0.01)
    assert float(frame.get("y")) + float(frame.get("height")) == pytest.approx(height, abs=0.01)


def test_rows_of_several_lengths_without_names_of_columns():
    elements, _, _ = heat_map([[0.5], [0.5, 1.0]], ["a", "b"], largest=2.0)
    assert [float(each.get("fill-opacity")) for each in elements if each.get("fill-opacity")] == [0.25, 0.25, 0.5]
    assert shades(elements) == {}


def test_weights_of_zero():
    assert shades(heat_map([[0.0]], ["a"], ["a"])[0]) == {}
