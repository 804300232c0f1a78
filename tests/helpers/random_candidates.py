"""Random spans for the tests of span decoders."""

import itertools
import random

from nerzoo.text.span_levels import ScoredEntity


def random_candidates(seed, length=9, max_length=4, most=8, ties=False):
    """Returns up to `most` different spans of `length` words, in order, with random types and scores."""
    rng = random.Random(seed)
    spans = [(i, j) for i in range(length) for j in range(i + 1, min(i + max_length, length) + 1)]
    chosen = sorted(rng.sample(spans, rng.randint(0, most)))
    return [
        ScoredEntity(*span, rng.choice("AB"), rng.choice([0.4, 0.6, 0.8]) if ties else rng.random()) for span in chosen
    ]


def overlap(one, other):
    return one.start < other.end and other.start < one.end


def subsets_without_overlaps(candidates):
    for size in range(len(candidates) + 1):
        for subset in itertools.combinations(candidates, size):
            if not any(overlap(*pair) for pair in itertools.combinations(subset, 2)):
                yield subset
