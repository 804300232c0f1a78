"""Fitting of a model's temperature, and of its thresholds, on development data."""

import logging
import math
import random
from itertools import chain, product
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple

import numpy
from allennlp.common.checks import ConfigurationError
from allennlp.models.archival import Archive
from allennlp.nn.util import get_text_field_mask

from nerzoo.archives import CALIBRATION_NAME, copy_archive
from nerzoo.errors import check_range
from nerzoo.evaluation.filter_threshold import FilterThreshold, filter_threshold
from nerzoo.evaluation.model_scores import ModelScores, SpanScores, TaggerScores, load_to_rewrite, run_model
from nerzoo.files import json_text
from nerzoo.models.fofe_ner import FofeNer
from nerzoo.models.heads.tag_head import ProjectionHead
from nerzoo.models.sequence_tagger import TaggingModel
from nerzoo.modules.span_decoders import (
    HighestFirst,
    LongestFirst,
    NestedDecoder,
    ScoredEntity,
    SpanDecoder,
    inner_candidates,
    span_candidates,
)
from nerzoo.nn.numerics import with_bias
from nerzoo.nn.spans import span_mask
from nerzoo.text.annotation import Entity
from nerzoo.text.matching import precision_recall_f

logger = logging.getLogger(__name__)

LOWEST, HIGHEST = 0.05, 20.0
"""The range in which temperatures are searched."""
FEW_SENTENCES = 100
"""The number of sentences from which on a temperature is fitted: with fewer, its measures depend on single entities."""
SEED = 13370
"""The seed of the choice of the sentences that are held out."""


def conformal_threshold(scores: numpy.ndarray, coverage: float) -> float:
    """
    Returns the threshold of split conformal prediction, the ceil((N + 1) `coverage`)-th smallest of N scores; infinite
    where there are too few (Vovk, Gammerman and Shafer, "Algorithmic Learning in a Random World", 2005; Romano, Sesia
    and Candes, "Classification with Valid and Adaptive Coverage", 2020). If a new score and these are exchangeable, the
    new one is no higher than the threshold with a probability of at least `coverage` and, without ties, of at most
    `coverage` + 1 / (N + 1). Infinite scores are above every threshold.
    """
    # Rounded, so that 0.9 * 10, for example, is a whole number.
    rank = math.ceil(round((len(scores) + 1) * coverage, 9))
    return float(numpy.sort(scores)[max(rank, 1) - 1]) if rank <= len(scores) else math.inf


def precision_threshold(probabilities: numpy.ndarray, correct: numpy.ndarray, precision: float) -> Optional[float]:
    """
    Returns the lowest threshold such that a share of `precision` of the predictions above it is correct: a number
    between two of the N probabilities, or 0, where all predictions are that precise; `None` where no threshold is high
    enough.
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


class Promise:
    """
    A threshold with a guarantee: a share `wished`, above 0 and below 1. It is fitted on some sentences of a file, given
    by a mask (N,), and measured on others.
    """

    name: str

    def __init__(self, wished: float) -> None:
        if not 0 < wished < 1:
            raise ConfigurationError(f"found the {self.name} {wished:g}, expected one above 0 and below 1")
        self.wished = wished

    def fit(self, scores: ModelScores, temperature: float, rows: numpy.ndarray) -> Dict[str, Any]:
        """Returns options of the head or model. Raises `ConfigurationError` where no threshold is enough."""
        raise NotImplementedError

    def measure(self, scores: ModelScores, temperature: float, rows: numpy.ndarray) -> Dict[str, Any]:
        """Returns the results of the fitted threshold."""
        raise NotImplementedError


class Coverage(Promise):
    """
    Promises that the sets of tag sequences in `n_best` contain the gold sequence with this probability, see
    `conformal_threshold`. The score of a sentence is the probability of all sequences that are better than the gold
    one, and infinite where these are `n_best` or more.
    """

    name = "coverage"

    def __init__(self, wished: float, n_best: int) -> None:
        super().__init__(wished)
        self._n_best = n_best
        self._mass = math.inf

    def fit(self, scores: ModelScores, temperature: float, rows: numpy.ndarray) -> Dict[str, Any]:
        if not isinstance(scores, TaggerScores) or not isinstance(scores.head, ProjectionHead):
            found = "coverage and a model without n_best sequences"
            raise ConfigurationError(f"found {found}, expected a tagger with the head projection")
        scores.head.n_best = self._n_best
        before_gold = scores.masses(temperature)[1][rows]
        self._mass = conformal_threshold(before_gold, self.wished)
        if math.isinf(self._mass):
            share = numpy.isfinite(before_gold).mean() if len(before_gold) else 0.0
            raise ConfigurationError(
                f"found the gold tags among the {self._n_best} best sequences of {share:.1%} of {len(before_gold)} "
                f"sentences, expected more of them, or more sentences, for a coverage of {self.wished:g}: a higher "
                "--n-best, or a lower --coverage"
            )
        return {"n_best": self._n_best, "n_best_mass": self._mass}

    def measure(self, scores: ModelScores, temperature: float, rows: numpy.ndarray) -> Dict[str, Any]:
        assert isinstance(scores, TaggerScores)
        before, before_gold = scores.masses(temperature)
        sizes = (before[rows] <= self._mass).sum(1)
        covered = before_gold[rows] <= self._mass
        return {"sentences": len(sizes), "coverage": float(covered.mean()), "mean_size": float(sizes.mean())}


class Precision(Promise):
    """Promises the share of correct entities among those above the threshold, see `precision_threshold`."""

    name = "precision"

    _threshold = 0.0

    def fit(self, scores: ModelScores, temperature: float, rows: numpy.ndarray) -> Dict[str, Any]:
        if isinstance(scores, TaggerScores) and scores.head.coding_scheme is None:
            found = "precision and tags that stand for themselves"
            raise ConfigurationError(f"found {found}, expected tags that stand for entities")
        decisions = scores.decisions(temperature)
        chosen = rows[decisions.sentences]
        threshold = precision_threshold(decisions.probabilities[chosen], decisions.correct[chosen], self.wished)
        if threshold is None:
            found = f"no threshold of probability with a precision of {self.wished:g} among {chosen.sum()} entities"
            raise ConfigurationError(f"found {found}, expected a lower --precision")
        self._threshold = threshold
        return {"min_probability": threshold}

    def measure(self, scores: ModelScores, temperature: float, rows: numpy.ndarray) -> Dict[str, Any]:
        decisions = scores.decisions(temperature)
        chosen = rows[decisions.sentences]
        kept = decisions.correct[chosen & (decisions.probabilities >= self._threshold)]
        precision = float(kept.mean()) if len(kept) else None
        return {"entities": int(chosen.sum()), "kept": len(kept), "precision": precision}


def calibrate(
    archive_file: str,
    dev_file: str,
    output_file: str,
    promises: Sequence[Promise] = (),
    test_file: Optional[str] = None,
    batch_size: int = 32,
    cuda_device: int = -1,
) -> Dict[str, Any]:
    """
    Writes a copy of an archive with the temperature of the model's distribution that gives development data the lowest
    negative log-likelihood (Guo et al., "On Calibration of Modern Neural Networks", 2017, section 4.2), and with the
    thresholds of `promises`. The temperature is measured on sentences that it was not fitted on: `held_out` chooses a
    fifth, or a half if there are promises, whose thresholds are fitted there, since a threshold promises nothing about
    data that its scores were fitted on. Where the calibration error or the Brier score is not better there, or there
    are fewer than `FEW_SENTENCES`, logs a warning and keeps the temperature of the original archive. Its thresholds are
    replaced.

    The archive, a path or a URL, is of a tagger with any head, or of a `fofe_ner`. Development data is data that the
    model was not trained on; `test_file` is other data to measure the result on. Returns the content of
    `calibration.json` in the archive: the `temperature`; for the `development` data that is held out and the `test`
    data the number of `sentences`, the measures `before` and `after`, see `ModelScores.measures`, and those of each
    promise; for `development` also `of`, the number of all sentences, and `refused`, the measures of a temperature that
    was not taken; and the `promises`, each with its `wished` share and thresholds.

    # Raises

    `ConfigurationError` where the model has no such distribution, the output exists, the development data has only one
    sentence, no temperature from 0.05 to 20 is best, or a promise cannot be kept.
    """
    archive = load_to_rewrite(archive_file, output_file, cuda_device)
    before = getattr(getattr(archive.model, "head", archive.model), "temperature", 1.0)
    scores = _scores(archive, archive_file, dev_file, batch_size)
    if len(scores.documents) < 2:
        raise ConfigurationError(f"{dev_file}: found a single sentence, expected many")
    held = held_out(scores.documents, 0.5 if promises else 0.2)
    temperature = fitted_temperature = _best_temperature(scores, ~held, dev_file)
    fitted_measures = scores.measures(fitted_temperature, held)
    if objections := _objections(len(held), scores.measures(before, held), fitted_measures):
        temperature = before
        found = f"found the temperature {fitted_temperature:g}, but {', and '.join(objections)}"
        logger.warning("%s: %s: the archive keeps the temperature %g", dev_file, found, before)
    config = archive.config.duplicate().as_dict(quiet=True)
    options = scores.options(config["model"])
    for name in ("min_probability", "n_best_mass"):
        options.pop(name, None)
    options["temperature"] = temperature
    summary: Dict[str, Any] = {"temperature": temperature, "promises": {}}
    for promise in promises:
        fitted = promise.fit(scores, temperature, held)
        options |= fitted
        summary["promises"][promise.name] = {"wished": promise.wished, **fitted}

    def measures(scores: ModelScores, file: str, rows: numpy.ndarray) -> Dict[str, Any]:
        return {
            "file": Path(file).name,
            "sentences": int(rows.sum()),
            "before": scores.measures(before, rows),
            "after": scores.measures(temperature, rows),
            **{promise.name: promise.measure(scores, temperature, rows) for promise in promises},
        }

    summary["development"] = {**measures(scores, dev_file, held), "of": len(held)}
    if objections:
        summary["development"]["refused"] = fitted_measures
    if test_file is not None:
        test_scores = _scores(archive, archive_file, test_file, batch_size)
        summary["test"] = measures(test_scores, test_file, numpy.ones(len(test_scores.documents), bool))
    copy_archive(archive_file, output_file, config, {CALIBRATION_NAME: json_text(summary)})
    return summary


def held_out(documents: Sequence[Optional[str]], share: float) -> numpy.ndarray:
    """
    Chooses a share of N sentences at random, by the seed `SEED`, and returns a mask (N,). The units are documents, or
    sentences where there are fewer than ten documents or their ids are unknown. One unit is chosen at least.
    """
    units: Sequence[Any] = documents
    if None in documents or len({*documents}) < 10:
        units = range(len(documents))
    distinct = list(dict.fromkeys(units))
    chosen = {*random.Random(SEED).sample(distinct, max(1, round(share * len(distinct))))}
    return numpy.array([unit in chosen for unit in units])


def _objections(num_sentences: int, before: Dict[str, Any], after: Dict[str, Any]) -> List[str]:
    """Returns the reasons, if any, to distrust a temperature."""
    objections = [f"{num_sentences} sentences are fewer than {FEW_SENTENCES}"] if num_sentences < FEW_SENTENCES else []
    for name, label in (("expected_calibration_error", "ECE"), ("brier_score", "Brier score")):
        if before[name] is None or after[name] is None:
            objections.append(f"the sentences held out have no predictions and no {label}")
        elif after[name] >= before[name]:
            objections.append(f"the {label} of sentences held out goes from {before[name]:.4f} to {after[name]:.4f}")
    return objections


def _scores(archive: Archive, archive_file: str, file: str, batch_size: int) -> ModelScores:
    model = archive.model
    if isinstance(model, FofeNer):
        return SpanScores(archive, model, file, batch_size)
    if isinstance(model, TaggingModel):
        return TaggerScores(archive, model, file, batch_size)
    expected = "a tagger or a fofe_ner: language models and models of threads are not calibrated"
    found = f"a model of type {archive.config['model']['type']}"
    raise ConfigurationError(f"{archive_file}: found {found}, expected {expected}")


def _best_temperature(scores: ModelScores, rows: numpy.ndarray, file: str) -> float:
    from scipy.optimize import minimize_scalar

    # The sum of log-partition functions is convex in the inverse of the temperature.
    found = minimize_scalar(
        lambda log: scores.negative_log_likelihood(math.exp(log))[rows].sum(),
        bounds=(math.log(LOWEST), math.log(HIGHEST)),
        method="bounded",
        options={"xatol": 1e-4},
    )
    temperature = math.exp(found.x)
    if not LOWEST * 1.01 < temperature < HIGHEST / 1.01:
        raise ConfigurationError(
            f"{file}: found the lowest negative log-likelihood at the temperature {temperature:.3g}, expected it "
            f"between {LOWEST:g} and {HIGHEST:g}: on data that the model was not trained on, and has learned to predict"
        )
    return round(temperature, 4)


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
    Raises `ConfigurationError` where the archive has another model, the file has no entities, the output exists, or the
    share is not from 0 to 1.
    """
    check_range("filter_loss", filter_loss, 0, 1)
    archive = load_to_rewrite(archive_file, output_file, cuda_device)
    config, model = archive.config.duplicate().as_dict(quiet=True), archive.model
    if not isinstance(model, FofeNer):
        raise ConfigurationError(f"{archive_file}: found a model of type {config['model']['type']}, expected fofe_ner")
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
