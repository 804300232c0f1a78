from typing import Dict, Optional

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.training.metrics import Metric

from nerzoo.text.matching import precision_recall_f
from nerzoo.training.metrics.counting_metric import TagMetric


@Metric.register("tag_scores")
@TagMetric.register("tag_scores")
class TagScores(TagMetric):
    """
    Computes the accuracy of tags and, for a positive label, its precision, recall and F0.5, the measure of error
    detection, which counts precision twice as much as recall.

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

    def count(self, predictions: torch.Tensor, gold_labels: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        correct = (predictions == gold_labels) & mask
        # No tag has the index -1.
        positive = -1 if self._positive is None else self._positive
        predicted, gold = ((tags == positive) & mask for tags in (predictions, gold_labels))
        return torch.stack([items.sum() for items in (correct, mask, predicted & gold, predicted, gold)])

    def scores(self, counts: torch.Tensor) -> Dict[str, float]:
        """Returns "accuracy" and, with `positive_label`, "precision", "recall" and "f0.5"."""
        num_correct, num_tags, *positive_counts = counts.tolist()
        metrics = {"accuracy": num_correct / max(num_tags, 1)}
        if self._positive is not None:
            metrics |= precision_recall_f(*positive_counts, beta=0.5)
        return metrics
