from typing import Any, Sequence


def averaged(values: Sequence[Any]) -> Any:
    """
    Averages what several runs have: the mean of numbers, and of the numbers in lists and dictionaries of the same
    shape; of anything else, that of the first run. What one run has stays as it is.
    """
    first = values[0]
    if len(values) == 1:
        return first
    if isinstance(first, dict):
        return {name: averaged([value[name] for value in values]) for name in first}
    if isinstance(first, list):
        return [averaged(items) for items in zip(*values, strict=True)]
    return sum(values) / len(values) if isinstance(first, (int, float)) else first
