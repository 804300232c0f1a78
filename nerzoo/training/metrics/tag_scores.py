from typing import Dict, Optional

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.training.metrics import CategoricalAccuracy, FBetaMeasure, Metric


@Metric.register("tag_scores")
class TagScores(Metric):
    """
    The accuracy of tags that do not stand for entities and, if there is one that matters, its precision, recall and
    F0.5, the measure of error detection, which counts precision twice as much as recall.

    # Parameters

    vocabulary : `Vocabulary`
    tag_namespace : `str`, optional (default = `"labels"`)
    positive_label : `str`, optional
        The tag that matters.

    # Raises

    `ConfigurationError` where the vocabulary does not have `positive_label`.
    """

    supports_distributed = True

    def __init__(
        self, vocabulary: Vocabulary, tag_namespace: str = "labels", positive_label: Optional[str] = None
    ) -> None:
        tags = vocabulary.get_token_to_index_vocabulary(tag_namespace)
        if positive_label is not None and positive_label not in tags:
            raise ConfigurationError(
                f"found positive_label {positive_label!r}, expected one of the tags: {', '.join(tags)}"
            )
        self._num_tags = len(tags)
        self._accuracy = CategoricalAccuracy()
        self._f05 = None if positive_label is None else FBetaMeasure(beta=0.5, labels=[tags[positive_label]])

    def __call__(self, predictions: torch.Tensor, gold_labels: torch.Tensor, mask: torch.BoolTensor) -> None:
        """
        # Parameters

        predictions : `torch.LongTensor`, (B, T)
            Tag ids.
        gold_labels : `torch.LongTensor`, (B, T)
            Tag ids.
        mask : `torch.BoolTensor`, (B, T)
        """
        scores = torch.nn.functional.one_hot(predictions, self._num_tags)
        self._accuracy(scores, gold_labels, mask)
        if self._f05 is not None:
            self._f05(scores, gold_labels, mask)

    def get_metric(self, reset: bool = False) -> Dict[str, float]:
        """
        # Returns

        `Dict[str, float]`
            "accuracy" and, with `positive_label`, "precision", "recall" and "f0.5". 0 / 0 is 0.
        """
        metrics = {"accuracy": self._accuracy.get_metric(reset)}
        if self._f05 is not None:
            scores = {"precision": [0.0], "recall": [0.0], "fscore": [0.0]}
            if self._f05._true_positive_sum is not None:
                scores = self._f05.get_metric(reset)
            metrics |= {"precision": scores["precision"][0], "recall": scores["recall"][0], "f0.5": scores["fscore"][0]}
        return metrics

    def reset(self) -> None:
        self._accuracy.reset()
        if self._f05 is not None:
            self._f05.reset()
