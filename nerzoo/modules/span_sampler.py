from typing import Optional, Tuple

import torch
from allennlp.common import FromParams

from nerzoo.errors import check_range
from nerzoo.nn.numerics import IMPOSSIBLE
from nerzoo.nn.spans import overlap_mask, span_cells, span_indices, span_mask


class SpanSampler(FromParams):
    """
    Draws the spans of a batch that a model is trained on, as Algorithm 1 of Xu's thesis on FOFE-NER (section 5.3): all
    spans that are entities, and a sample of the other spans, at one rate for spans that share a token with an entity
    and at another rate for the rest. Every call draws a new sample, by PyTorch's global random numbers.

    Each span is drawn independently, so that the rates hold on average. The original program draws for a whole epoch,
    without replacement, and exactly at the rates.

    # Parameters

    overlap_rate, disjoint_rate : `float`, optional (default = `0.36`, `0.09`)
        The probabilities of a span that shares a token with an entity, and of one that shares none; outside [0, 1] they
        raise `ConfigurationError`. The original program has 0.36 and 0.09 on CoNLL-2003, 0.08 and 0.016 on KBP.
    corrected : `bool`, optional (default = `False`)
        Whether the loss takes the rates into account, so that the model's probabilities are those of all spans and not
        those of the sample, where entities are more frequent. The thesis has those of the sample.
    """

    def __init__(self, overlap_rate: float = 0.36, disjoint_rate: float = 0.09, corrected: bool = False) -> None:
        check_range("overlap_rate", overlap_rate, 0, 1)
        check_range("disjoint_rate", disjoint_rate, 0, 1)
        self.corrected = corrected
        self.overlap_rate = overlap_rate
        self.disjoint_rate = disjoint_rate

    def __call__(
        self, labels: torch.Tensor, inside: torch.Tensor, mask: torch.BoolTensor
    ) -> Tuple[torch.Tensor, Optional[torch.Tensor]]:
        """
        Draws spans (S, 3), sentence, start and exclusive end, in order, given the tensors of a `SpanField`, `labels`
        (B, T, n) and `inside` (B, T), and the mask (B, T). S may be 0 in a batch without entities.

        If `corrected`, it also returns the logarithms (S,) of the rates at which these spans would have been drawn if
        they were no entities. Added to the logit of no entity in training, they make the model without them one of all
        spans (King and Zeng, "Logistic Regression in Rare Events Data", 2001, section 4.1): exactly with one rate for
        all spans.
        """
        max_length = labels.size(2)
        rates = torch.where(overlap_mask(inside, max_length), self.overlap_rate, self.disjoint_rate)
        drawn = torch.rand(labels.shape, device=labels.device) < rates
        # The host waits for the device here, and here only: the number of spans is the size of a tensor.
        spans = span_indices((drawn | (labels > 0)) & span_mask(mask, max_length))
        return spans, rates[span_cells(spans)].log().clamp(min=IMPOSSIBLE) if self.corrected else None
