"""
Sections, tables and charts of reports as data, and their rendering as Markdown and as one page of HTML that loads
nothing.
"""

import math
from itertools import pairwise
from pathlib import Path
from typing import Any, Dict, Iterable, List, NamedTuple, Sequence, Union

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from nerzoo.files import write_text
from nerzoo.text.palette import PAGE_STYLE, TYPES, TypeNumbers

_MOST_TICKS = 7


class BarChart(NamedTuple):
    """Bars of shares: for each label one bar of each series. `text` is the alternative text."""

    title: str
    labels: Sequence[str]
    series: Dict[str, List[float]]

    @property
    def text(self) -> str:
        """The alternative text."""
        parts = []
        for name, values in self.series.items():
            bars = [f"{label} {100 * value:.1f}" for label, value in zip(self.labels, values, strict=True)]
            parts.append(f"{name}: {', '.join(bars)}")
        return "; ".join(parts)


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


class Axis(NamedTuple):
    """A vertical axis of a `LineChart`, with the texts of its lower and its upper end."""

    title: str
    low: str = ""
    high: str = ""


class Line(NamedTuple):
    """A line of a `LineChart`, by its places on the axes, from 0 to 1 upwards."""

    name: str
    places: Sequence[float]
    opacity: float = 1.0
    is_best: bool = False
    """True for the line that stands out."""


class LineChart(NamedTuple):
    """Lines through vertical axes that stand side by side. `text` is the alternative text."""

    title: str
    axes: Sequence[Axis]
    lines: Sequence[Line]
    text: str


NONE = "–"


class Segment(NamedTuple):
    """A part of a sentence. Its `kind` is `"words"`, `"open"` or `"close"`: a bracket with its label."""

    kind: str
    text: str
    is_wrong: bool = False
    type: str = ""
    """The type of the shortest entity around words, if there is one."""


class MarkedText(NamedTuple):
    """
    The words of a sentence with brackets around entities, which may be nested or cross, and remarks on them. `times`
    gives the number of runs with the same entities, if there are several runs.
    """

    segments: List[Segment]
    remarks: Sequence[str] = ()
    times: str = ""


class Column(NamedTuple):
    """
    A column of a `Table`. Its `kind` determines the cells and their text: `"text"`; `"count"`, a number of things or
    the mean of such numbers; `"score"` or `"bar"`, a share, written as a percentage, the latter before a bar;
    `"difference"`, one with its sign; `"interval"`, two differences; `"scores"`, two scores; `"number"` and `"p"`,
    written with four digits; `"heat"`, a count with a background by its share of the row; or `"marked"`, several
    `MarkedText`s. A cell may be `None`.
    """

    title: str
    kind: str = "text"


class Table(NamedTuple):
    """A table of a report. The first cell of each row is its heading."""

    caption: str
    columns: Sequence[Column]
    rows: Sequence[List[Any]]
    note: str = ""


class Section(NamedTuple):
    """A section of a report."""

    id: str
    title: str
    paragraphs: Sequence[str] = ()
    tables: Sequence[Table] = ()
    charts: Sequence[Union[BarChart, LineChart, ReliabilityDiagram, ScatterChart]] = ()


def make_columns(*specifications: str) -> List[Column]:
    """Makes columns from `"title"` or `"title:kind"`."""
    return [Column(*specification.split(":")) for specification in specifications]


def data_size(data: Dict[str, Any]) -> str:
    """Describes the size of the data of a report."""
    words = f"{data['num_words']:,} words"
    return f"{data['num_entities']:,} entities in {data['num_sentences']:,} sentences, {words}"


def mark(
    words: Sequence[str], entities: Sequence[Dict[str, Any]], wrong: Sequence[Dict[str, Any]] = ()
) -> List[Segment]:
    """Puts brackets around entities, objects with `start`, `end` and `label`; some of them may be wrong."""
    spans, errors = (
        [(entity["start"], entity["end"], entity["label"]) for entity in side] for side in (entities, wrong)
    )
    segments: List[Segment] = []
    start = 0
    for place in sorted({0, len(words), *(span[0] for span in spans), *(span[1] for span in spans)}):
        if start < place:
            around = [span for span in spans if span[0] <= start and place <= span[1]]
            innermost = min(around, key=lambda span: span[1] - span[0], default=(0, 0, ""))
            segments.append(Segment("words", " ".join(words[start:place]), type=innermost[2]))
        start = place
        # An inner entity closes before an outer one, and opens after it.
        for span in sorted((span for span in spans if span[1] == place), key=lambda span: -span[0]):
            segments.append(Segment("close", span[2], span in errors))
        for span in sorted((span for span in spans if span[0] == place), key=lambda span: -span[1]):
            segments.append(Segment("open", span[2], span in errors))
    return segments


def written(value: Any, kind: str) -> str:
    """Returns the text of a cell of a `Column` of some kind, other than `"marked"`."""
    if value is None:
        return NONE
    if kind in ("interval", "scores"):
        return " to ".join(written(bound, "difference" if kind == "interval" else "score") for bound in value)
    if kind in ("score", "bar", "difference"):
        return f"{100 * value:{'+' if kind == 'difference' else ''}.1f}"
    if kind in ("number", "p"):
        return f"{value:.4f}"
    if kind in ("count", "heat"):
        # Means over runs may have a fraction.
        return f"{value:,.1f}".removesuffix(".0")
    return str(value)


def order(value: Any, kind: str) -> str:
    """Returns the number by which a cell is sorted; empty if cells are sorted by their text."""
    if value is None or kind in ("text", "marked"):
        return ""
    return repr(float(value[0] if kind in ("interval", "scores") else value))


def markdown_text(text: str) -> str:
    """Escapes the characters with a meaning in Markdown, and line ends."""
    escaped = "".join(f"\\{character}" if character in "\\`*_{}[]<>#|~$" else character for character in text)
    return " ".join(escaped.split())


def markdown_marked(texts: Sequence[MarkedText]) -> str:
    """Writes sentences in a cell in Markdown: labels are bold, and those of wrong entities struck through."""
    lines: List[str] = []
    for text in texts:
        parts = []
        for kind, content, is_wrong, _ in text.segments:
            if kind == "words":
                parts.append(markdown_text(content))
            elif kind == "open":
                parts.append("\\[")
            else:
                label = f"**{markdown_text(content)}**"
                parts.append(f"\\]{f'~~{label}~~' if is_wrong else label}")
        sentence = " ".join(parts).replace("\\[ ", "\\[").replace(" \\]", "\\]")
        lines += [f"{text.times}: {sentence}" if text.times else sentence, *map(markdown_text, text.remarks)]
    return "<br>".join(lines)


def write_pages(
    folder: Path, title: str, page: Iterable[Section], markdown: Iterable[Section], warnings: Sequence[str]
) -> None:
    """Writes the sections of a report into a folder, as `report.html` and `report.md`."""
    write_text(folder / "report.md", to_markdown(title, markdown, warnings))
    write_text(folder / "report.html", to_html(title, page, warnings))


def to_html(title: str, sections: Iterable[Section], warnings: Sequence[str] = ()) -> str:
    """Returns a page with tables that can be sorted and searched. Sections must have different ids."""
    return _render("report.html", title, sections, warnings)


def to_markdown(title: str, sections: Iterable[Section], warnings: Sequence[str] = ()) -> str:
    """Returns the sections in Markdown, without charts."""
    return _render("report.md", title, sections, warnings)


def _render(template: str, title: str, sections: Iterable[Section], warnings: Sequence[str]) -> str:
    environment = Environment(
        loader=PackageLoader("nerzoo.reports"),
        autoescape=select_autoescape(["html"]),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    filters = (written, order, markdown_text, markdown_marked)
    environment.filters |= {function.__name__: function for function in filters}
    numbers = TypeNumbers()
    environment.filters["colour"] = lambda label: f"type-{numbers[label]}"
    environment.globals["num_colours"] = len(TYPES)
    environment.tests["bars"] = lambda chart: isinstance(chart, BarChart)
    environment.tests["line_chart"] = lambda chart: isinstance(chart, LineChart)
    environment.tests["scatter"] = lambda chart: isinstance(chart, ScatterChart)
    return environment.get_template(template).render(
        title=title, sections=list(sections), warnings=warnings, page_style=Markup(PAGE_STYLE)
    )
