from typing import NamedTuple


class ScoredEntity(NamedTuple):
    """An `Entity`, `words[start:end]` with `end` exclusive, with the probability that a model gives it."""

    start: int
    end: int
    label: str
    score: float
