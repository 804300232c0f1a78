"""Fitting of the thresholds of a `fofe_ner` on development data."""

import math
from itertools import chain, product
from typing import Dict, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple

import numpy
from allennlp.common.checks import ConfigurationError
from allennlp.nn.util import get_text_field_mask

from nerzoo.archives import copy_archive
from nerzoo.errors import check_range
from nerzoo.evaluation.filter_threshold import FilterThreshold, filter_threshold
from nerzoo.evaluation.model_scores import load_to_rewrite, run_model
from nerzoo.models.fofe_ner import FofeNer
from nerzoo.modules.span_decoders import (
    HighestFirst,
    LongestFirst,
    NestedDecoder,
    SpanDecoder,
    level_config,
    span_candidates,
)
from nerzoo.nn.numerics import with_bias
from nerzoo.nn.spans import span_mask
from nerzoo.text.annotation import Entity
from nerzoo.text.matching import precision_recall_f
from nerzoo.text.span_levels import ScoredEntity, inner_candidates

ALGORITHMS = (HighestFirst, LongestFirst)
THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""The thresholds of the original program of Xu's thesis on FOFE-NER."""

NONE_BIASES = (0.0, -0.5, -1.0, -1.5, -2.0)
"""Biases of no entity: with one below 0, spans are candidates whose most probable label was no entity."""

_MOST_LEVELS_AT_ONCE = 2


class ScoredLevels(NamedTuple):
    """
    Levels of a `NestedDecoder`, the scores of its entities with them, as `NestedSpanF1` computes them, and the bias of
    no entity, see `FofeNer`.
    """

    levels: Tuple[SpanDecoder, ...]
    precision: float
    recall: float
    f1: float
    none_bias: float = 0.0


class TunedThresholds(NamedTuple):
    """Results of `tune_thresholds`."""

    combinations: List[ScoredLevels]
    """All that were tried, best first."""
    own: ScoredLevels
    """The combination of the original archive."""
    span_filter: Optional[FilterThreshold]


def tune_thresholds(
    archive_file: str,
    dev_file: str,
    output_file: str,
    batch_size: int = 32,
    cuda_device: int = -1,
    filter_loss: float = 0.005,
) -> TunedThresholds:
    """
    Writes an archive that differs from `archive_file` only in the levels of its decoder, each of which keeps its
    `merge_adjacent`, in the bias of no entity and, if it has a filter, in the filter's threshold. Of biases with equal
    scores, the one closer to the archive's own is better. The levels and the bias are tuned on all spans; then the
    filter may lose a share `filter_loss` of the entities that are found with the best of them, see `filter_threshold`.
    Raises `ConfigurationError` where the archive has another model or a minimum probability, the file has no entities,
    the output exists, or the share is not from 0 to 1.
    """
    check_range("filter_loss", filter_loss, 0, 1)
    archive = load_to_rewrite(archive_file, output_file, cuda_device)
    config, model = archive.config.duplicate().as_dict(quiet=True), archive.model
    if not isinstance(model, FofeNer):
        raise ConfigurationError(f"{archive_file}: found a model of type {config['model']['type']}, expected fofe_ner")
    if model.min_probability:
        calibrated = f"model.min_probability {model.min_probability:g}, which calibrate fitted"
        raise ConfigurationError(f"{archive_file}: found {calibrated}, expected 0: tune thresholds before calibration")
    if model.span_filter is not None:
        model.span_filter.threshold = 0.0
    levels: List[SpanDecoder] = model.decoder.levels
    biases = sorted({model.none_bias, *NONE_BIASES}, key=lambda bias: (abs(bias - model.none_bias), bias))
    candidates: List[List[List[ScoredEntity]]] = [[] for _ in biases]
    gold_entities: List[Sequence[Entity]] = []
    filter_probabilities: List[numpy.ndarray] = []
    lowest = min(model.decoder.threshold, *THRESHOLDS)
    for batch, outputs in run_model(archive, dev_file, batch_size):
        mask = get_text_field_mask(batch["tokens"])
        for bias, found in zip(biases, candidates, strict=True):
            probabilities = with_bias(outputs["probabilities"], (bias - model.none_bias) / model.temperature)
            found.extend(span_candidates(probabilities, mask, model.types, lowest))
        gold_entities.extend(sentence["gold_entities"] for sentence in outputs["metadata"])
        if model.span_filter is not None:
            is_span = span_mask(mask, model.max_length)
            filter_probabilities.extend(outputs["filter_probabilities"].masked_fill(~is_span, math.nan).cpu().numpy())
    if not any(gold_entities):
        raise ConfigurationError(f"{dev_file}: found no entities, expected some to tune thresholds on")
    searched = [
        [scored._replace(none_bias=bias) for scored in search_levels(scored_entities, gold_entities, levels)]
        for bias, scored_entities in zip(biases, candidates, strict=True)
    ]
    own = next(scored for scored in searched[0] if scored.levels == tuple(levels))
    # The sort is stable: the order within a bias, and that of biases, stay where scores are equal.
    combinations = sorted(chain(*searched), key=lambda scored: -round(scored.f1, 12))
    best = combinations[0]
    decoder = config["model"].get("decoder") or {"levels": [level_config(level) for level in levels]}
    pairs = zip(decoder["levels"], levels, best.levels, strict=True)
    # Levels that do not change stay as they are written.
    new_levels = [written if new is old else level_config(new) for written, old, new in pairs]
    config["model"]["decoder"] = {"levels": new_levels}
    if best.none_bias != model.none_bias:
        config["model"]["none_bias"] = best.none_bias
    fitted = None
    if model.span_filter is not None:
        best_candidates = candidates[biases.index(best.none_bias)]
        best_decoder = NestedDecoder(list(best.levels))
        fitted = filter_threshold(filter_probabilities, best_candidates, gold_entities, best_decoder, filter_loss)
        config["model"]["span_filter"]["threshold"] = fitted.threshold
    copy_archive(archive_file, output_file, config)
    return TunedThresholds(combinations, own, fitted)


def search_levels(
    candidates: Sequence[List[ScoredEntity]], gold_entities: Sequence[Sequence[Entity]], levels: List[SpanDecoder]
) -> List[ScoredLevels]:
    """
    Searches the algorithms and thresholds of a `NestedDecoder` for those with the highest F1 on some sentences. Returns
    all combinations that were tried, best first.

    For each level it tries `ALGORITHMS` with `THRESHOLDS`, and the given level. Up to two levels are searched together,
    in all combinations. With more levels, it searches one level after the other, from the outermost on, with the best
    settings of the others so far, until nothing changes: 15 combinations for each level and round.

    Of combinations with equal scores, the one closer to the given levels is better: the one with fewer other
    algorithms, then with the smaller sum of differences of thresholds, then with the lower threshold outermost.

    The candidates of each sentence are those that score above the lowest threshold, as `SpanDecoder.decode` takes them.
    The search starts from `levels`, each of which keeps its `merge_adjacent`.
    """
    gold = [set(entities) for entities in gold_entities]
    options = [_options(level) for level in levels]

    def tried(options: List[List[SpanDecoder]]) -> Iterator[ScoredLevels]:
        counts = numpy.zeros((2, *map(len, options)), numpy.int64)
        for sentence_candidates, entities in zip(candidates, gold, strict=True):
            counts += _counts(sentence_candidates, entities, options)
        num_gold = sum(map(len, gold))
        for combination, (predicted, correct) in zip(product(*options), counts.reshape(2, -1).T.tolist(), strict=True):
            yield ScoredLevels(combination, **precision_recall_f(correct, predicted, num_gold))

    def rank(scored: ScoredLevels) -> tuple:
        pairs = list(zip(scored.levels, levels, strict=True))
        others = sum(type(level) is not type(given) for level, given in pairs)
        # Rounded, so that sums of decimal fractions that are equal on paper are equal.
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
    own = type(given), given.threshold
    others = (settings for settings in product(ALGORITHMS, THRESHOLDS) if settings != own)
    return [given, *(algorithm(threshold, given.merge_adjacent) for algorithm, threshold in others)]


def _counts(
    candidates: List[ScoredEntity],
    gold: Set[Entity],
    options: List[List[SpanDecoder]],
    outer: Optional[ScoredEntity] = None,
) -> numpy.ndarray:
    """
    Counts the predicted entities and the correct ones among them, inside `outer`, if given, for every combination of
    options, which have the same `merge_adjacent` in a level: shape (2, options of the first level, options of the
    second level, ...). Entities of two levels, or inside two entities, never have the same span, so that counts add up.
    """
    counts = numpy.zeros((2, *map(len, options)), numpy.int64)
    if not candidates:
        return counts
    level_options, *deeper = options
    # Options with the same survivors have the same counts: survivors -> the place of the first such option.
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
