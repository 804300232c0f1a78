"""Groups of words and of entities by how often training had their words."""

from bisect import bisect
from typing import Callable, List, Mapping, Sequence

from allennlp.common.checks import ConfigurationError

BOUNDS = (1, 2, 5, 20, 100)


def group_names(bounds: Sequence[int], lowest: int = 0) -> List[str]:
    """
    The names of the groups that the bounds divide numbers from `lowest` on into: `"0"`, `"1-4"` and `"5-"` for 1 and 5.
    Raises `ConfigurationError` where bounds do not rise from above `lowest`.
    """
    edges = [lowest, *bounds]
    if any(low >= high for low, high in zip(edges, edges[1:], strict=False)):
        expected = f"numbers that rise, the first of them {lowest + 1} or more"
        raise ConfigurationError(f"found the bounds {bounds}, expected {expected}")
    names = [f"{low}-{high - 1}" if high - low > 1 else str(low) for low, high in zip(edges, edges[1:], strict=False)]
    return [*names, f"{edges[-1]}-"]


def by_frequency(frequencies: Mapping[str, int], bounds: Sequence[int]) -> Callable[[Sequence[str]], str]:
    """Says of words to which group the frequency of the rarest of them belongs."""
    names = group_names(bounds)
    return lambda words: names[bisect(bounds, min(frequencies.get(word, 0) for word in words))]
