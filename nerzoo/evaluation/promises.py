"""Thresholds that an archive carries, each with what it promises."""

import math
from typing import Any, Dict

import numpy
from allennlp.common.checks import ConfigurationError

from nerzoo.evaluation.model_scores import ModelScores, TagScores
from nerzoo.evaluation.thresholds import conformal_threshold, precision_threshold
from nerzoo.models.heads.projection import ProjectionHead


class Promise:
    """
    A threshold that is fitted on some sentences of a file, given by a mask (N,), and measured on others.

    # Parameters

    wished : `float`
        What is promised, above 0 and below 1.
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
        """Returns what the fitted threshold comes to."""
        raise NotImplementedError


class Coverage(Promise):
    """
    The sets of tag sequences in `n_best` contain the gold one with this probability, see `conformal_threshold`. The
    score of a sentence is the probability of all sequences that are better than the gold one, and infinite where
    `n_best` others are.
    """

    name = "coverage"

    def __init__(self, wished: float, n_best: int) -> None:
        super().__init__(wished)
        self._n_best = n_best
        self._mass = math.inf

    def fit(self, scores: ModelScores, temperature: float, rows: numpy.ndarray) -> Dict[str, Any]:
        if not isinstance(scores, TagScores) or not isinstance(scores.head, ProjectionHead):
            raise ConfigurationError(
                "found coverage and a model without n_best sequences, expected a tagger with the head projection"
            )
        scores.head.n_best = self._n_best
        before_gold = scores.masses(temperature).before_gold[rows]
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
        assert isinstance(scores, TagScores)
        masses = scores.masses(temperature)
        sizes = (masses.before[rows] <= self._mass).sum(1)
        covered = masses.before_gold[rows] <= self._mass
        return {"sentences": len(sizes), "coverage": float(covered.mean()), "mean_size": float(sizes.mean())}


class Precision(Promise):
    """Of the entities at least as probable as the threshold this share is correct, see `precision_threshold`."""

    name = "precision"

    def __init__(self, wished: float) -> None:
        super().__init__(wished)
        self._threshold = 0.0

    def fit(self, scores: ModelScores, temperature: float, rows: numpy.ndarray) -> Dict[str, Any]:
        if isinstance(scores, TagScores) and scores.head.coding_scheme is None:
            raise ConfigurationError(
                "found precision and tags that stand for themselves, expected tags that stand for entities"
            )
        decisions = scores.decisions(temperature)
        chosen = rows[decisions.sentences]
        threshold = precision_threshold(decisions.probabilities[chosen], decisions.correct[chosen], self.wished)
        if threshold is None:
            raise ConfigurationError(
                f"found no threshold of probability with a precision of {self.wished:g} among {chosen.sum()} entities, "
                "expected a lower --precision"
            )
        self._threshold = threshold
        return {"min_probability": threshold}

    def measure(self, scores: ModelScores, temperature: float, rows: numpy.ndarray) -> Dict[str, Any]:
        decisions = scores.decisions(temperature)
        chosen = rows[decisions.sentences]
        kept = decisions.correct[chosen & (decisions.probabilities >= self._threshold)]
        return {
            "entities": int(chosen.sum()),
            "kept": len(kept),
            "precision": float(kept.mean()) if len(kept) else None,
        }
