from typing import Any, List, NamedTuple, Sequence


class Column(NamedTuple):
    """
    A column of a `Table`. Its `kind` says what its cells are and how they are written: `"text"`; `"count"`, a number of
    things or the mean of such numbers; `"score"` or `"difference"`, a share, written as a percentage, the latter with
    its sign; `"interval"`, two differences; `"number"` and `"p"`, written with four digits; `"heat"`, a count whose
    background says how large a share of its row it is; or `"marked"`, a `MarkedText`. A cell may be `None`.
    """

    title: str
    kind: str = "text"


class Table(NamedTuple):
    """A table of a report. The first cell of each row is its heading."""

    caption: str
    columns: Sequence[Column]
    rows: Sequence[List[Any]]
    note: str = ""
