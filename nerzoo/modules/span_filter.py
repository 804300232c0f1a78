"""A first look at all spans of a batch, which decides which of them a span classifier computes."""

from typing import Dict, Optional, Sequence

import torch
from allennlp.common import FromParams
from torch.nn.functional import binary_cross_entropy_with_logits

from nerzoo.errors import check_range
from nerzoo.nn.spans import following
from nerzoo.training.metrics.counting_metric import CountingMetric


class SpanFilter(torch.nn.Module, FromParams):
    """
    Gives each span a probability that it is an entity of any type, from its first word i, its last word j and its
    length. Its logit is

        s(i) + e(j) + l(j - i) + u(i) . v(j)

    A network of one hidden layer computes s, e, u and v for each word, so that a span costs no more than the product of
    two short vectors. Spans with a probability below a threshold are left out.

    # Parameters

    input_dim : `int`
        D, the size of the vectors of words.
    max_length : `int`
        n, the length of the longest spans.
    hidden_size : `int`, optional (default = `128`)
        The size of the hidden layer.
    rank : `int`, optional (default = `32`)
        R, the size of u and v.
    threshold : `float`, optional (default = `0.001`)
        The probability below which a span is left out; 0 keeps all spans. Outside [0, 1] it raises
        `ConfigurationError`. `nerzoo tune-thresholds` fits it.
    """

    def __init__(
        self, input_dim: int, max_length: int, hidden_size: int = 128, rank: int = 32, threshold: float = 0.001
    ) -> None:
        super().__init__()
        check_range("threshold", threshold, 0, 1)
        self.threshold = threshold
        self.words = torch.nn.Sequential(
            torch.nn.Linear(input_dim, hidden_size), torch.nn.ReLU(), torch.nn.Linear(hidden_size, 2 * (1 + rank))
        )
        self.lengths = torch.nn.Parameter(torch.zeros(max_length))

    def forward(self, words: torch.Tensor, spans: torch.Tensor, size: Sequence[int]) -> torch.Tensor:
        """
        Returns the logits (B, T, n) of spans, at [start, length - 1], given the vectors (N, D) of all words of a batch,
        the spans (N, 3) of these words, and the size (B, T). Cells that are no span have logits without a meaning.
        """
        outputs, n = self.words(words), len(self.lengths)
        grid = outputs.new_zeros(*size, outputs.size(1))
        grid[spans[:, 0], spans[:, 1]] = outputs
        starts, ends = grid.chunk(2, 2)
        # shape: (B, T, n, 1 + R), the last words of the spans that start at each word
        ends = following(ends, n)
        products = torch.einsum("btr,btnr->btn", starts[..., 1:], ends[..., 1:])
        return starts[..., :1] + ends[..., 0] + self.lengths + products

    def loss(
        self,
        logits: torch.Tensor,
        labels: torch.Tensor,
        is_span: torch.Tensor,
        annotated: Optional[torch.Tensor] = None,
    ) -> torch.Tensor:
        """
        Returns the binary cross-entropy, averaged over spans: of all cells marked in (B, T, n), given the labels of a
        `SpanField`. Where not all types are `annotated` in a sentence, (B, number of types), a span without a label may
        be an entity, and has no loss.
        """
        known = is_span
        if annotated is not None:
            known = is_span & ((labels > 0) | annotated.all(1)[:, None, None])
        losses = binary_cross_entropy_with_logits(logits, (labels > 0).to(logits.dtype), reduction="none")
        return losses.masked_fill(~known, 0).sum() / known.sum().clamp(min=1)


class FilterScores(CountingMetric):
    """
    Scores a `SpanFilter`: "filter_recall", the share of gold entities that it keeps among those that are spans of the
    model; and "filter_share", the share of spans that it keeps.
    """

    def __init__(self) -> None:
        super().__init__(2, 2)

    def count(self, kept: torch.Tensor, labels: torch.Tensor, is_span: torch.Tensor) -> torch.Tensor:
        """Counts spans (B, T, n), given marks of those kept, labels of a `SpanField` and marks of all."""
        # shape: (entities and all spans, kept and all)
        rows = [[(group & kept).sum(), group.sum()] for group in (labels > 0, is_span)]
        return torch.stack([torch.stack(row) for row in rows])

    def scores(self, counts: torch.Tensor) -> Dict[str, float]:
        recall, share = (kept / max(total, 1) for kept, total in counts.tolist())
        return {"filter_recall": recall, "filter_share": share}
