import pytest

from nerzoo.reports.tables import BarChart, Point, ReliabilityDiagram, ScatterChart


def test_bars_in_words():
    chart = BarChart("F1", ["A", "B"], {"one": [0.5, 0.25], "two": [1.0, 0.0]})
    assert chart.text == "one: A 50.0, B 25.0; two: A 100.0, B 0.0"


def test_reliability_in_words():
    bins = [
        {"lower": 0.0, "upper": 0.5, "mean_probability": None, "accuracy": None, "count": 0},
        {"lower": 0.5, "upper": 1.0, "mean_probability": 0.75, "accuracy": 0.5, "count": 4},
    ]
    chart = ReliabilityDiagram("all", {"bins": bins, "expected_calibration_error": 0.25})
    assert (chart.bins, chart.error) == (bins[1:], 0.25)
    assert chart.text == "of 4 with probability 0.75 50 % correct"


def scatter(*points):
    return ScatterChart("F1 by time", "seconds", "F1", [Point(str(index), x, y) for index, (x, y) in enumerate(points)])


def test_points_in_words():
    assert scatter((12.5, 0.5), (1200, 0.25)).text == "0: 12.5 seconds, F1 50.0; 1: 1,200 seconds, F1 25.0"


@pytest.mark.parametrize(
    "numbers, ticks",
    [
        ((12, 45), [10, 20, 50]),
        ((10, 10), [10, 20]),
        ((0.03, 0.9), [0.02, 0.05, 0.1, 0.2, 0.5, 1]),
        ((3, 3000), [3, 10, 30, 100, 300, 1000, 3000]),
        ((3, 3e6), [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7]),
    ],
)
def test_ticks_of_a_logarithmic_axis(numbers, ticks):
    chart = scatter(*((number, 0.5) for number in numbers))
    assert chart.x_ticks == pytest.approx(ticks)
    assert [chart.x_place(chart.x_ticks[0]), chart.x_place(chart.x_ticks[-1])] == [0, 1]
    assert all(0 <= chart.x_place(number) <= 1 for number in numbers)


@pytest.mark.parametrize(
    "shares, ticks", [((0.3, 0.38), [0.3, 0.32, 0.34, 0.36, 0.38]), ((0.5, 0.5), [0.5, 0.51, 0.52, 0.53, 0.54])]
)
def test_ticks_of_shares(shares, ticks):
    chart = scatter(*((1, share) for share in shares))
    assert chart.y_ticks == pytest.approx(ticks)
    assert all(0 <= chart.y_place(share) <= 1 for share in shares)


@pytest.mark.parametrize("shares", [(0.1, 0.1, 0.1, 0.1), (0.5, 0.49, 0.1), (0.1, 0.9), (0.9, 0.9, 0.1)])
def test_names_do_not_cover_each_other(shares):
    chart = scatter(*((1, share) for share in shares))
    heights = chart.label_heights(0.2)
    assert all(-1e-9 <= height <= 1 for height in heights)
    assert all(abs(one - other) > 0.2 - 1e-9 for place, one in enumerate(heights) for other in heights[:place])


def test_names_stand_where_there_is_room():
    chart = scatter((1, 0.9), (1, 0.5), (1, 0.1))
    assert chart.label_heights(0.1) == [chart.y_place(share) for share in (0.9, 0.5, 0.1)]
