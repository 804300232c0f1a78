from typing import Dict

import torch
from allennlp.data import Vocabulary
from allennlp.training.metrics import Metric

from nerzoo.training.metrics.counting_metric import CountingMetric, precision_recall_f
from nerzoo.training.metrics.span_finder import SpanFinder


@Metric.register("conlleval")
class SpanF1(CountingMetric):
    """
    Computes precision, recall and F1 of spans, and the accuracy of tags, as conlleval does: on ill-formed sequences
    too, where AllenNLP's `SpanBasedF1Measure` differs from it.

    `SpanFinder` defines spans. A span is correct if a gold span has the same start, end and type.

    # Parameters

    vocabulary : `Vocabulary`
    coding_scheme : `str`
        "BIO", "IOB1", "BIOUL" or "BIOES": the coding scheme of the tags in the vocabulary.
    tag_namespace : `str`, optional (default = `"labels"`)
    per_type : `bool`, optional (default = `False`)
        Whether to report each type as well.

    # Raises

    `ConfigurationError` where the scheme is unknown, or the vocabulary has a tag that the scheme does not have.
    """

    def __init__(
        self, vocabulary: Vocabulary, coding_scheme: str, tag_namespace: str = "labels", per_type: bool = False
    ) -> None:
        self._find_spans = SpanFinder(vocabulary, coding_scheme, tag_namespace)
        self._types = self._find_spans.types
        self._per_type = per_type
        # Correct, predicted and gold spans of each type; of type 0, tags.
        super().__init__(3, 1 + len(self._types))

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
        # shape: (2, B, T), predictions first
        tags = torch.stack([predictions, gold_labels])
        # shape: (2, B, T) each
        types, starts, ends = self._find_spans(tags, mask)
        # shape: (B, T)
        correct = starts[0] & starts[1] & (types[0] == types[1]) & (ends[0] == ends[1])
        # shape: (3, B * T): correct, predicted and gold spans at the token where they start
        spans = torch.stack([correct, *starts]).flatten(1).long()
        span_types = torch.stack([types[1], *types]).flatten(1)
        # shape: (3, 1 + number of types)
        counts = spans.new_zeros(3, 1 + len(self._types)).scatter_add(1, span_types, spans)
        # No span is of type 0, so its column is free for the tags: correct, predicted and gold ones.
        counts[:, 0] = torch.stack([((tags[0] == tags[1]) & mask).sum(), mask.sum(), mask.sum()])
        self.add(counts)

    def scores(self, counts: torch.Tensor) -> Dict[str, float]:
        """
        # Returns

        `Dict[str, float]`
            "precision", "recall", "f1" and "accuracy", and with `per_type` "precision-X", "recall-X" and "f1-X" for
            every type X of the vocabulary. 0 / 0 is 0.
        """
        metrics = precision_recall_f(*counts[:, 1:].sum(1).tolist())
        correct, number, _ = counts[:, 0].tolist()
        metrics["accuracy"] = correct / max(number, 1)
        if self._per_type:
            for type_, type_counts in zip(self._types, counts[:, 1:].t().tolist(), strict=True):
                metrics |= precision_recall_f(*type_counts, suffix=f"-{type_}")
        return metrics
