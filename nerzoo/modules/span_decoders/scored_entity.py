from typing import NamedTuple


class ScoredEntity(NamedTuple):
    """An `Entity`, `words[start:end]` with `end` exclusive, and how probable a model finds it."""

    start: int
    end: int
    label: str
    score: float
