"""Shows sections as Markdown and as one page of HTML that loads nothing. Templates are in `templates/`."""

from typing import Iterable, Sequence

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from nerzoo.reporting.cells import markdown_marked, markdown_text, order, written
from nerzoo.reporting.charts import BarChart, ScatterChart
from nerzoo.reporting.section import Section


def to_html(title: str, sections: Iterable[Section], warnings: Sequence[str] = ()) -> str:
    """Returns a page in which tables can be sorted and searched. Ids of sections differ."""
    return _render("report.html", title, sections, warnings)


def to_markdown(title: str, sections: Iterable[Section], warnings: Sequence[str] = ()) -> str:
    """Returns the same without charts."""
    return _render("report.md", title, sections, warnings)


def _render(template: str, title: str, sections: Iterable[Section], warnings: Sequence[str]) -> str:
    environment = Environment(
        loader=PackageLoader("nerzoo.reporting"),
        autoescape=select_autoescape(["html"]),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters |= {
        "written": written,
        "order": order,
        "markdown_text": markdown_text,
        "markdown_marked": markdown_marked,
    }
    environment.tests["bars"] = lambda chart: isinstance(chart, BarChart)
    environment.tests["scatter"] = lambda chart: isinstance(chart, ScatterChart)
    return environment.get_template(template).render(title=title, sections=list(sections), warnings=warnings)
