"""What the charts of a report show, whatever draws them."""

import math
from typing import Any, Dict, List, NamedTuple, Optional, Sequence


class BarChart(NamedTuple):
    """Bars from 0 to `maximum`, for each label one of each series. `text` says the same in words."""

    title: str
    labels: Sequence[str]
    series: Dict[str, List[float]]
    is_share: bool = True
    """Whether numbers are shares, written as percentages, or counts."""

    @property
    def maximum(self) -> float:
        """The number at the right end of the axis, a fourth of which is a round number, too."""
        if self.is_share:
            return 1.0
        step = max([1.0, *(value / 4 for values in self.series.values() for value in values)])
        digit = 10 ** max(math.floor(math.log10(step)) - 1, 0)
        return 4.0 * digit * math.ceil(step / digit)

    @property
    def text(self) -> str:
        """The alternative text."""
        parts = [
            f"{name}: "
            + ", ".join(f"{label} {self.written(value)}" for label, value in zip(self.labels, values, strict=True))
            for name, values in self.series.items()
        ]
        return "; ".join(parts)

    def written(self, value: float) -> str:
        """Returns a number as it is written beside its bar."""
        return f"{100 * value:.1f}" if self.is_share else f"{value:g}"


class ReliabilityDiagram(NamedTuple):
    """The accuracy of each bin against its mean probability: the fields of a `Reliability`."""

    title: str
    reliability: Dict[str, Any]

    @property
    def bins(self) -> List[Dict[str, Any]]:
        """The bins that have cases."""
        return [each for each in self.reliability["bins"] if each["count"]]

    @property
    def error(self) -> Optional[float]:
        """The expected calibration error."""
        error: Optional[float] = self.reliability["expected_calibration_error"]
        return error

    @property
    def text(self) -> str:
        """The alternative text."""
        return ", ".join(
            f"of {each['count']} with probability {each['mean_probability']:.2f} {100 * each['accuracy']:.0f} % correct"
            for each in self.bins
        )
