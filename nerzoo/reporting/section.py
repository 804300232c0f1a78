from typing import NamedTuple, Sequence, Union

from nerzoo.reporting.charts import BarChart, ReliabilityDiagram, ScatterChart
from nerzoo.reporting.table import Table


class Section(NamedTuple):
    """A part of a report as it is shown."""

    id: str
    title: str
    paragraphs: Sequence[str] = ()
    tables: Sequence[Table] = ()
    charts: Sequence[Union[BarChart, ReliabilityDiagram, ScatterChart]] = ()
