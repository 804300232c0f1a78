import torch
from allennlp.common import FromParams
from allennlp.common.checks import ConfigurationError

from nerzoo.nn.spans import overlapping, span_indices, span_mask


class SpanSampler(FromParams):
    """
    Draws the spans of a batch that a model is trained on, as Algorithm 1 of Xu's thesis on FOFE-NER (section 5.3)
    does: all that are entities; of the others, by their own chance each, some that share a token with an entity and
    some that share none. Every call draws afresh, from PyTorch's global random numbers.

    The original program draws, for a whole epoch and without replacement, exactly as many of each kind as the rate
    says. Here that many are drawn on average.

    # Parameters

    overlap_rate : `float`, optional (default = `0.36`)
        How probable each span is that shares a token with an entity. The original program's rates are 0.36 and 0.09
        on CoNLL-2003, 0.08 and 0.016 on KBP.
    disjoint_rate : `float`, optional (default = `0.09`)
        How probable each span is that shares none.

    # Raises

    `ConfigurationError` where a rate is not from 0 to 1.
    """

    def __init__(self, overlap_rate: float = 0.36, disjoint_rate: float = 0.09) -> None:
        for name, rate in (("overlap_rate", overlap_rate), ("disjoint_rate", disjoint_rate)):
            if not 0 <= rate <= 1:
                raise ConfigurationError(f"found the {name} {rate}, expected one from 0 to 1")
        self.overlap_rate = overlap_rate
        self.disjoint_rate = disjoint_rate

    def __call__(self, labels: torch.LongTensor, inside: torch.BoolTensor, mask: torch.BoolTensor) -> torch.LongTensor:
        """
        # Parameters

        labels : `torch.LongTensor`, (B, T, n)
            As in `SpanField`.
        inside : `torch.BoolTensor`, (B, T)
            As in `SpanField`.
        mask : `torch.BoolTensor`, (B, T)

        # Returns

        `torch.LongTensor`, (S, 3)
            The sentence, the start and the end, exclusive, of each span drawn, in order. S may be 0: a batch
            without entities has no span for sure.
        """
        max_length = labels.size(2)
        # shape: (B, T, n)
        chances = torch.where(overlapping(inside, max_length), self.overlap_rate, self.disjoint_rate)
        drawn = torch.rand(labels.shape, device=labels.device) < chances
        # All stays on the device up to here; that the number drawn is a shape, the host has to wait for.
        return span_indices((drawn | (labels > 0)) & span_mask(mask, max_length))
