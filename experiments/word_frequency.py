"""
The scores of words by how often training had them, from the configuration of a run and what `allennlp predict` writes
with --use-dataset-reader; what is scored is as in `experiments.unseen_words`. Of an entity it is its rarest word that
counts.

    python -m experiments.word_frequency SERIALIZATION_DIR/config.json PREDICTIONS.jsonl ... [--bounds 1 2 5 20 100]

With the bounds 1 and 5 there are three groups: words that training did not have, those of one to four occurrences, and
those of five and more. Several files are several runs over the same text; what is printed is mean and standard
deviation over them.
"""

import argparse
from bisect import bisect
from pathlib import Path
from typing import Callable, List, Mapping, Sequence

from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from experiments.unseen_words import report_groups, training_words

BOUNDS = (1, 2, 5, 20, 100)


def group_names(bounds: Sequence[int]) -> List[str]:
    """
    The names of the groups that the bounds divide frequencies into: `"0"`, `"1-4"` and `"5-"` for 1 and 5. Raises
    `ConfigurationError` where bounds do not rise from 1 at least.
    """
    edges = [0, *bounds]
    if any(low >= high for low, high in zip(edges, edges[1:], strict=False)):
        raise ConfigurationError(f"found the bounds {bounds}, expected numbers that rise, the first of them 1 or more")
    names = [f"{low}-{high - 1}" if high - low > 1 else str(low) for low, high in zip(edges, edges[1:], strict=False)]
    return [*names, f"{edges[-1]}-"]


def by_frequency(frequencies: Mapping[str, int], bounds: Sequence[int]) -> Callable[[Sequence[str]], str]:
    """Says of words to which group the frequency of the rarest of them belongs."""
    names = group_names(bounds)
    return lambda words: names[bisect(bounds, min(frequencies.get(word, 0) for word in words))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", type=Path)
    parser.add_argument("predictions", type=Path, nargs="+")
    parser.add_argument("--bounds", type=int, nargs="+", default=BOUNDS)
    args = parser.parse_args()
    config = Params.from_file(args.config).as_dict(quiet=True)
    group = by_frequency(training_words(config), args.bounds)
    report_groups(config, args.predictions, group, group_names(args.bounds))


if __name__ == "__main__":
    main()
