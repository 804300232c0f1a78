"""Search of the algorithms and thresholds of a `NestedDecoder` on development data."""

from itertools import product
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple

import numpy
from allennlp.common.checks import ConfigurationError
from allennlp.nn.util import get_text_field_mask

from nerzoo.archives import copy_archive
from nerzoo.evaluation.model_scores import load_to_rewrite, run_model
from nerzoo.models.fofe_ner import FofeNer
from nerzoo.modules.span_decoders import (
    HighestFirst,
    LongestFirst,
    ScoredEntity,
    SpanDecoder,
    inner_candidates,
    span_candidates,
)
from nerzoo.text.annotation import Entity
from nerzoo.text.matching import precision_recall_f

ALGORITHMS = (HighestFirst, LongestFirst)
THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""The thresholds of the original program of Xu's thesis on FOFE-NER."""

_MOST_LEVELS_AT_ONCE = 2


class ScoredLevels(NamedTuple):
    """Levels of a `NestedDecoder`, and the scores of its entities with them, as `NestedSpanF1` computes them."""

    levels: Tuple[SpanDecoder, ...]
    precision: float
    recall: float
    f1: float


def tune_thresholds(
    archive_file: str, dev_file: str, output_file: str, batch_size: int = 32, cuda_device: int = -1
) -> Tuple[List[ScoredLevels], Tuple[SpanDecoder, ...]]:
    """
    Writes an archive that differs from `archive_file` only in the levels of its decoder; each level keeps its
    `merge_adjacent`. Returns all combinations, best first, and the levels of `archive_file`. Raises
    `ConfigurationError` where the archive has another model, the file has no entities, or the output exists.
    """
    archive = load_to_rewrite(archive_file, output_file, cuda_device)
    config, model = archive.config.duplicate().as_dict(quiet=True), archive.model
    if not isinstance(model, FofeNer):
        raise ConfigurationError(f"{archive_file}: found a model of type {config['model']['type']}, expected fofe_ner")
    levels: List[SpanDecoder] = model.decoder.levels
    candidates: List[List[ScoredEntity]] = []
    gold_entities: List[Sequence[Entity]] = []
    lowest = min(model.decoder.threshold, *THRESHOLDS)
    for batch, outputs in run_model(archive, dev_file, batch_size):
        mask = get_text_field_mask(batch["tokens"])
        candidates.extend(span_candidates(outputs["probabilities"], mask, model.types, lowest))
        gold_entities.extend(sentence["gold_entities"] for sentence in outputs["metadata"])
    if not any(gold_entities):
        raise ConfigurationError(f"{dev_file}: found no entities, expected some to tune thresholds on")
    found = search_levels(candidates, gold_entities, levels)
    decoder = config["model"].get("decoder") or {"levels": [level_config(level) for level in levels]}
    pairs = zip(decoder["levels"], levels, found[0].levels, strict=True)
    # Levels that do not change stay as they are written.
    new_levels = [written if best is own else level_config(best) for written, own, best in pairs]
    config["model"]["decoder"] = {"levels": new_levels}
    copy_archive(archive_file, output_file, config)
    return found, tuple(levels)


def level_config(level: SpanDecoder) -> Dict[str, Any]:
    """Returns the configuration of a level."""
    name = next(name for name in SpanDecoder.list_available() if SpanDecoder.by_name(name) is type(level))
    return {"type": name, "threshold": level.threshold, "merge_adjacent": level.merge_adjacent}


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
