import pytest
from helpers.drawings import shades, texts

from nerzoo.reports.svg import heat_map, levels, path, strongest


def test_longer_arcs_are_above_those_that_they_cover():
    assert levels([(0, 1), (2, 1), (2, 0), (0, 3), (5, 4), (0, 3)]) == {
        (0, 1): 1,
        (2, 1): 1,
        (2, 0): 2,
        (0, 3): 3,
        (5, 4): 1,
    }
    assert levels([]) == {}


@pytest.mark.parametrize("height", [30.0, -30.0])
def test_a_path_is_as_high_as_it_says(height):
    numbers = [float(number) for number in path(10.0, 20.0, 100.0, height).replace("M", "").replace("C", "").split()]
    start, first, second, end = (numbers[place : place + 2] for place in (0, 2, 4, 6))
    assert (start, end) == ([10.0, 100.0], [20.0, 100.0])
    middle = (start[1] + 3 * first[1] + 3 * second[1] + end[1]) / 8
    assert middle == pytest.approx(100 - height)


def test_strongest():
    assert strongest([0.1, 0.0, 0.6, 0.3], 3) == [2, 3, 0]
    assert strongest([0.0, 1.0], 3) == [1]


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
