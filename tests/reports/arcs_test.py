import pytest

from nerzoo.reports.shapes import levels, path, strongest


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
