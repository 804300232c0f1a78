from typing import Any

import torch
from allennlp.common import Lazy
from allennlp.models import Model

from nerzoo.models.heads.tag_head import TagHead
from nerzoo.models.sequence_tagger import TaggingModel
from nerzoo.modules.dropout import FastDropout


@Model.register("seq2biseq")
class Seq2Biseq(TaggingModel):
    """
    Tags the words of a sentence by two decoders over their labels, from right to left and then from left to right, in
    place of a CRF: Seq2Biseq (Dinarelli and Grobol, 2019). The encoder of the paper is a bidirectional GRU.

    The paper trains it best with two optimisers, one of them on `backward_loss`: the optimiser and the callback
    `per_loss`.

    # Parameters

    head : `Lazy[TagHead]`
        A `seq2biseq`, see `Seq2BiseqHead`; or a `projection`, for a CRF under the same dropout, to compare with.
    dropout : `float`, optional (default = `0.0`)
        On embedded and encoded words; the head has dropout of its own.
    **kwargs
        As in `TaggingModel`.
    """

    def __init__(self, head: Lazy[TagHead], dropout: float = 0.0, **kwargs: Any) -> None:
        super().__init__(head=head, **kwargs)
        self.dropout = FastDropout(dropout)

    def encode(self, embedded: torch.Tensor, mask: torch.BoolTensor, **context: torch.Tensor) -> torch.Tensor:
        return self.dropout(super().encode(self.dropout(embedded), mask, **context))
