"""The data of charts, independent of how they are drawn."""

import math
from itertools import pairwise
from typing import Any, Dict, List, NamedTuple, Sequence

_MOST_TICKS = 7


class BarChart(NamedTuple):
    """Bars from 0 to `maximum`: for each label one bar of each series. `text` is the alternative text."""

    title: str
    labels: Sequence[str]
    series: Dict[str, List[float]]
    is_share: bool = True
    """True if numbers are shares, written as percentages; false for counts."""

    @property
    def maximum(self) -> float:
        """The number at the right end of the axis; it and a fourth of it are round numbers."""
        if self.is_share:
            return 1.0
        step = max([1.0, *(value / 4 for values in self.series.values() for value in values)])
        digit = 10 ** max(math.floor(math.log10(step)) - 1, 0)
        return 4.0 * digit * math.ceil(step / digit)

    @property
    def text(self) -> str:
        """The alternative text."""
        parts = []
        for name, values in self.series.items():
            bars = [f"{label} {self.written(value)}" for label, value in zip(self.labels, values, strict=True)]
            parts.append(f"{name}: {', '.join(bars)}")
        return "; ".join(parts)

    def written(self, value: float) -> str:
        """Returns the text of a number beside its bar."""
        return f"{100 * value:.1f}" if self.is_share else f"{value:g}"


class ReliabilityDiagram(NamedTuple):
    """The accuracy of each bin against its mean probability, from the fields of a `Reliability`."""

    title: str
    reliability: Dict[str, Any]

    @property
    def bins(self) -> List[Dict[str, Any]]:
        """The bins that are not empty."""
        return [each for each in self.reliability["bins"] if each["count"]]

    @property
    def error(self) -> Any:
        """The expected calibration error."""
        return self.reliability["expected_calibration_error"]

    @property
    def text(self) -> str:
        """The alternative text."""
        return ", ".join(
            f"of {each['count']} with probability {each['mean_probability']:.2f} {100 * each['accuracy']:.0f} % correct"
            for each in self.bins
        )


class Point(NamedTuple):
    """A point of a `ScatterChart`, with its name."""

    name: str
    x: float
    y: float


class ScatterChart(NamedTuple):
    """Points with a share, drawn upwards, and a positive number, drawn to the right on a logarithmic axis."""

    title: str
    x_label: str
    y_label: str
    points: Sequence[Point]

    @property
    def text(self) -> str:
        """The alternative text."""
        return "; ".join(f"{name}: {x:,.4g} {self.x_label}, {self.y_label} {100 * y:.1f}" for name, x, y in self.points)

    @property
    def x_ticks(self) -> List[float]:
        """
        At most seven ticks from below all points to above them, if possible: powers of ten with their twofolds and
        fivefolds, or with their threefolds, or alone.
        """
        low, high = min(point.x for point in self.points), max(point.x for point in self.points)
        powers = range(math.floor(math.log10(low)), math.floor(math.log10(high)) + 2)
        for digits in ((1, 2, 5), (1, 3), (1,)):
            ticks = [digit * 10.0**power for power in powers for digit in digits]
            first = max(tick for tick in ticks if tick <= low)
            last = min(tick for tick in ticks if tick >= high and tick > first)
            ticks = [tick for tick in ticks if first <= tick <= last]
            if len(ticks) <= _MOST_TICKS:
                break
        return ticks

    @property
    def y_ticks(self) -> List[float]:
        """Five shares in equal steps of whole percents around all points."""
        low, high = min(point.y for point in self.points), max(point.y for point in self.points)
        bottom = math.floor(100 * low)
        step = max(math.ceil((100 * high - bottom) / 4), 1)
        return [(bottom + step * number) / 100 for number in range(5)]

    def x_place(self, x: float) -> float:
        """Returns the horizontal position of a number, from 0 to 1."""
        first, last, log = (math.log10(number) for number in (self.x_ticks[0], self.x_ticks[-1], x))
        return (log - first) / (last - first)

    def y_place(self, y: float) -> float:
        """Returns the vertical position of a share, from 0 to 1."""
        bottom, *_, top = self.y_ticks
        return (y - bottom) / (top - bottom)

    def label_heights(self, distance: float) -> List[float]:
        """
        Returns the vertical position of the name of each point beside the chart, from 0 to 1: the position of the
        point, moved just enough to keep a distance from the names above and below it. There must be room for all names.
        """
        order = sorted(range(len(self.points)), key=lambda index: -self.points[index].y)
        heights = [self.y_place(point.y) for point in self.points]
        for upper, lower in pairwise(order):
            heights[lower] = min(heights[lower], heights[upper] - distance)
        floor = 0.0
        for index in reversed(order):
            heights[index] = max(heights[index], floor)
            floor = heights[index] + distance
        return heights
