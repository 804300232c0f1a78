"""Thresholds of scores that promise something, fitted on development data."""

import math
from itertools import product
from typing import Dict, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple

import numpy

from nerzoo.modules.span_decoders import HighestFirst, LongestFirst, ScoredEntity, SpanDecoder, inner_candidates
from nerzoo.text.annotation import Entity
from nerzoo.text.matching import precision_recall_f


def conformal_threshold(scores: numpy.ndarray, coverage: float) -> float:
    """
    The threshold of split conformal prediction (Vovk, Gammerman and Shafer, "Algorithmic Learning in a Random World",
    2005; Romano, Sesia and Candes, "Classification with Valid and Adaptive Coverage", 2020): where the score of a new
    sentence and these are exchangeable, it is no higher than the threshold with a probability of `coverage` at least,
    and, without ties, of `coverage` + 1 / (N + 1) at most.

    # Parameters

    scores : `numpy.ndarray`
        Shape (N,). Infinite ones are above every threshold.
    coverage : `float`
        From 0 to 1.

    # Returns

    `float`
        The ceil((N + 1) coverage)-th smallest score; infinite where there are too few.
    """
    # Of what is a whole number on paper, 0.9 * 10 say.
    rank = math.ceil(round((len(scores) + 1) * coverage, 9))
    return float(numpy.sort(scores)[max(rank, 1) - 1]) if rank <= len(scores) else math.inf


def precision_threshold(probabilities: numpy.ndarray, correct: numpy.ndarray, precision: float) -> Optional[float]:
    """
    The lowest threshold such that of the predictions above it a share of `precision` is correct.

    # Parameters

    probabilities : `numpy.ndarray`
        Shape (N,).
    correct : `numpy.ndarray`
        Shape (N,), of booleans.
    precision : `float`

    # Returns

    `float`, optional
        A number between two of the probabilities, or 0, where all predictions are that precise; `None` where no
        threshold is enough.
    """
    order = numpy.argsort(-probabilities, kind="stable")
    ordered = numpy.append(probabilities[order], 0.0)
    share = numpy.cumsum(correct[order]) / numpy.arange(1, len(order) + 1)
    # Predictions of the same probability are kept or left out together.
    is_last = ordered[:-1] > ordered[1:]
    is_last[-1:] = True
    enough = numpy.flatnonzero(is_last & (share >= precision))
    if not len(enough):
        return None
    last = enough[-1]
    return 0.0 if last == len(order) - 1 else float(ordered[last : last + 2].mean())


ALGORITHMS = (HighestFirst, LongestFirst)
THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""The thresholds of the original program of Xu's thesis on FOFE-NER."""

_MOST_LEVELS_AT_ONCE = 2


class ScoredLevels(NamedTuple):
    """
    Levels of a `NestedDecoder`, and the scores of the entities that it finds with them, as `NestedSpanF1` has them.
    """

    levels: Tuple[SpanDecoder, ...]
    precision: float
    recall: float
    f1: float


def search_levels(
    candidates: Sequence[List[ScoredEntity]], gold_entities: Sequence[Sequence[Entity]], levels: List[SpanDecoder]
) -> List[ScoredLevels]:
    """
    Searches the algorithms and thresholds of a `NestedDecoder` for those with the highest F1 on some sentences.

    For each level it tries `ALGORITHMS` with `THRESHOLDS`, and the given level. Up to two levels are searched together,
    in all combinations; more levels one at a time, with the others as they are best so far, from the outermost on,
    until nothing changes: 15 combinations for each level and round.

    Of combinations with equal scores, the one closer to the given levels is better: the one with fewer other
    algorithms, then the one whose thresholds differ less in sum, then the one with the lower threshold outermost.

    Most thresholds of one level leave the same candidates to the next, which are decoded once.

    # Parameters

    candidates : `Sequence[List[ScoredEntity]]`
        The candidates of each sentence that score above the lowest threshold, as `SpanDecoder.decode` takes them.
    gold_entities : `Sequence[Sequence[Entity]]`
        The gold entities of each sentence.
    levels : `List[SpanDecoder]`
        The levels to start from; each keeps its `merge_adjacent`.

    # Returns

    `List[ScoredLevels]`
        All combinations that were tried, best first.
    """
    gold = [set(entities) for entities in gold_entities]
    options = [_options(level) for level in levels]

    def tried(options: List[List[SpanDecoder]]) -> Iterator[ScoredLevels]:
        shape = 2, *map(len, options)
        counts = numpy.zeros(shape, numpy.int64)
        for of_sentence, gold_of_sentence in zip(candidates, gold, strict=True):
            counts += _counts(of_sentence, gold_of_sentence, options)
        num_gold = sum(map(len, gold))
        combinations = zip(product(*options), counts.reshape(2, -1).T.tolist(), strict=True)
        for combination, (predicted, correct) in combinations:
            yield ScoredLevels(combination, **precision_recall_f(correct, predicted, num_gold))

    def rank(scored: ScoredLevels) -> tuple:
        pairs = list(zip(scored.levels, levels, strict=True))
        others = sum(type(level) is not type(given) for level, given in pairs)
        # Scores, and sums of decimal fractions, that are equal on paper have to be equal.
        distance = round(sum(abs(level.threshold - given.threshold) for level, given in pairs), 9)
        return -round(scored.f1, 12), others, distance, [level.threshold for level in scored.levels]

    if len(levels) <= _MOST_LEVELS_AT_ONCE:
        return sorted(tried(options), key=rank)
    found = {tuple(levels): next(tried([[level] for level in levels]))}
    best, before = tuple(levels), None
    while best != before:
        before = best
        for place, choices in enumerate(options):
            around = [[level] for level in best]
            around[place] = choices
            found.update((scored.levels, scored) for scored in tried(around))
            best = min(found.values(), key=rank).levels
    return sorted(found.values(), key=rank)


def _options(given: SpanDecoder) -> List[SpanDecoder]:
    """Returns the levels to try: the given one, and those of the grid that differ from it."""
    grid = [
        algorithm(threshold, given.merge_adjacent)
        for algorithm, threshold in product(ALGORITHMS, THRESHOLDS)
        if not (algorithm is type(given) and threshold == given.threshold)
    ]
    return [given, *grid]


def _counts(
    candidates: List[ScoredEntity],
    gold: Set[Entity],
    options: List[List[SpanDecoder]],
    outer: Optional[ScoredEntity] = None,
) -> numpy.ndarray:
    """
    Counts the predicted entities and the correct ones among them, inside `outer`, if given, for every combination of
    options: shape (2, options of the first level, options of the second level, ...). The options of a level have the
    same `merge_adjacent`.

    Entities of two levels, or inside two entities, never have the same span, so that numbers can be added.
    """
    counts = numpy.zeros((2, *map(len, options)), numpy.int64)
    if not candidates:
        return counts
    level_options, *deeper = options
    # Options with the same survivors leave the same to deeper levels: the place of the first of them.
    first_with: Dict[Tuple[ScoredEntity, ...], int] = {}
    for place, level in enumerate(level_options):
        survivors = level.survivors(candidates)
        first = first_with.setdefault(tuple(survivors), place)
        if first < place:
            counts[:, place] = counts[:, first]
            continue
        entities = level.merged(survivors)
        found = [Entity(*entity[:3]) for entity in entities if outer is None or entity[:2] != outer[:2]]
        counts[:, place] = numpy.reshape([len(found), len(gold.intersection(found))], (2, *[1] * len(deeper)))
        if deeper:
            for entity, within in inner_candidates(candidates, survivors, entities):
                counts[:, place] += _counts(within, gold, deeper, entity)
    return counts
