from typing import Dict, Optional

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.training.metrics import Metric

from nerzoo.text.matching import precision_recall_f
from nerzoo.training.metrics.counting_metric import CountingMetric


@Metric.register("tag_scores")
class TagScores(CountingMetric):
    """
    Computes the accuracy of tags that do not stand for entities and, if one of them is the positive label, its
    precision, recall and F0.5, the measure of error detection, which counts precision twice as much as recall.

    # Parameters

    vocabulary : `Vocabulary`
    tag_namespace : `str`, optional (default = `"labels"`)
    positive_label : `str`, optional
        The tag whose precision, recall and F0.5 are reported.

    # Raises

    `ConfigurationError` where the vocabulary does not have `positive_label`.
    """

    def __init__(
        self, vocabulary: Vocabulary, tag_namespace: str = "labels", positive_label: Optional[str] = None
    ) -> None:
        tags = vocabulary.get_token_to_index_vocabulary(tag_namespace)
        if positive_label is not None and positive_label not in tags:
            raise ConfigurationError(
                f"found positive_label {positive_label!r}, expected one of the tags: {', '.join(tags)}"
            )
        self._positive = None if positive_label is None else tags[positive_label]
        # Correct tags, all tags; correct, predicted and gold positive labels.
        super().__init__(5)

    def __call__(  # type: ignore[override]
        self, predictions: torch.Tensor, gold_labels: torch.Tensor, mask: torch.BoolTensor
    ) -> None:
        """
        # Parameters

        predictions : `torch.LongTensor`, (B, T)
            The indices of predicted tags.
        gold_labels : `torch.LongTensor`, (B, T)
            The indices of gold tags.
        mask : `torch.BoolTensor`, (B, T)
        """
        correct = (predictions == gold_labels) & mask
        # No tag has the index -1.
        positive = -1 if self._positive is None else self._positive
        predicted, gold = ((tags == positive) & mask for tags in (predictions, gold_labels))
        self.add(torch.stack([counted.sum() for counted in (correct, mask, predicted & gold, predicted, gold)]))

    def scores(self, counts: torch.Tensor) -> Dict[str, float]:
        """
        # Returns

        `Dict[str, float]`
            "accuracy" and, with `positive_label`, "precision", "recall" and "f0.5". 0 / 0 is 0.
        """
        correct, number, *of_positive = counts.tolist()
        metrics = {"accuracy": correct / max(number, 1)}
        if self._positive is not None:
            metrics |= precision_recall_f(*of_positive, beta=0.5)
        return metrics
