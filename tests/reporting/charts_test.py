import pytest

from nerzoo.reporting.charts import BarChart, ReliabilityDiagram


def test_bars_in_words():
    chart = BarChart("F1", ["A", "B"], {"one": [0.5, 0.25], "two": [1.0, 0.0]})
    assert chart.text == "one: A 50.0, B 25.0; two: A 100.0, B 0.0"
    assert chart.maximum == 1.0


def test_counts():
    chart = BarChart("errors", ["A", "B"], {"one": [12, 3.5]}, is_share=False)
    assert (chart.text, chart.maximum) == ("one: A 12, B 3.5", 12)


@pytest.mark.parametrize("largest, maximum", [(0, 4), (4, 4), (4.5, 8), (156, 156), (157, 160), (4493, 4800)])
def test_ticks_are_round_numbers(largest, maximum):
    assert BarChart("errors", ["A", "B"], {"one": [largest, 0]}, is_share=False).maximum == maximum


def test_reliability_in_words():
    bins = [
        {"lower": 0.0, "upper": 0.5, "mean_probability": None, "accuracy": None, "count": 0},
        {"lower": 0.5, "upper": 1.0, "mean_probability": 0.75, "accuracy": 0.5, "count": 4},
    ]
    chart = ReliabilityDiagram("all", {"bins": bins, "expected_calibration_error": 0.25})
    assert (chart.bins, chart.error) == (bins[1:], 0.25)
    assert chart.text == "of 4 with probability 0.75 50 % correct"
