from typing import Any, Dict, NamedTuple, Optional

import numpy

from nerzoo.evaluation.calibration import reliability


class Decisions(NamedTuple):
    """Predicted entities, or tags, with what is known of each: arrays of shape (E,)."""

    sentences: numpy.ndarray
    """The number of its sentence."""
    probabilities: numpy.ndarray
    correct: numpy.ndarray


class ModelScores:
    """
    What a model gives for the sentences of a file, from which their probabilities at any temperature are computed
    without running it again. Subclasses are for kinds of models.
    """

    num_sentences: int
    """N."""
    num_gold: int
    """How many gold entities there are; where tags stand for themselves, how many tags."""

    def negative_log_likelihood(self, temperature: float) -> numpy.ndarray:
        """Returns minus the log probability of the gold annotation of each of N sentences, shape (N,), in nats."""
        raise NotImplementedError

    def decisions(self, temperature: float) -> Decisions:
        """Returns what the model predicts, all of it, whatever its probability."""
        raise NotImplementedError

    def measures(self, temperature: float) -> Dict[str, Optional[float]]:
        """Returns the numbers by which a temperature is judged."""
        decisions = self.decisions(temperature)
        result = reliability(decisions.probabilities, decisions.correct)
        num_correct = int(decisions.correct.sum())
        return {
            "temperature": temperature,
            "negative_log_likelihood": float(self.negative_log_likelihood(temperature).mean()),
            "expected_calibration_error": result.expected_calibration_error,
            "brier_score": result.brier_score,
            "precision": num_correct / max(len(decisions.correct), 1),
            "recall": num_correct / max(self.num_gold, 1),
        }

    def options(self, config: Dict[str, Any]) -> Dict[str, Any]:
        """Returns the part of a configuration of the model that has the temperature, to be changed in place."""
        raise NotImplementedError
