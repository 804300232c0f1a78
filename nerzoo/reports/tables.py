"""Sections, tables and cells of reports, and their rendering as Markdown and as one page of HTML that loads nothing."""

from pathlib import Path
from typing import Any, Dict, Iterable, List, NamedTuple, Sequence, Union

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from nerzoo.files import write_text
from nerzoo.reports.charts import BarChart, ReliabilityDiagram, ScatterChart

NONE = "–"


class Segment(NamedTuple):
    """A part of a sentence. Its `kind` is `"words"`, `"open"` or `"close"`: a bracket with its label."""

    kind: str
    text: str
    is_wrong: bool = False


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
    the mean of such numbers; `"score"` or `"difference"`, a share, written as a percentage, the latter with its sign;
    `"interval"`, two differences; `"scores"`, two scores; `"number"` and `"p"`, written with four digits; `"heat"`, a
    count with a background by its share of the row; or `"marked"`, several `MarkedText`s. A cell may be `None`.
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
    charts: Sequence[Union[BarChart, ReliabilityDiagram, ScatterChart]] = ()


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
            segments.append(Segment("words", " ".join(words[start:place])))
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
    if kind in ("score", "difference"):
        return f"{100 * value:{'+' if kind == 'difference' else ''}.2f}"
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
        for kind, content, is_wrong in text.segments:
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
    environment.tests["bars"] = lambda chart: isinstance(chart, BarChart)
    environment.tests["scatter"] = lambda chart: isinstance(chart, ScatterChart)
    return environment.get_template(template).render(title=title, sections=list(sections), warnings=warnings)
