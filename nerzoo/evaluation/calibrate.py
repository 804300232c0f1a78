"""Fitting of a model's temperature on development data, and of thresholds with a guarantee."""

import logging
import math
import random
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence

import numpy
from allennlp.common.checks import ConfigurationError
from allennlp.models.archival import Archive

from nerzoo.archives import CALIBRATION_NAME, copy_archive
from nerzoo.evaluation.model_scores import ModelScores, SpanScores, TaggerScores, load_to_rewrite
from nerzoo.files import json_text
from nerzoo.models.fofe_ner import FofeNer
from nerzoo.models.heads.tag_head import ProjectionHead
from nerzoo.models.sequence_tagger import TaggingModel

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
