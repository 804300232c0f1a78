from typing import Any

import torch
from allennlp.models import Model
from allennlp.modules import InputVariationalDropout

from nerzoo.models.tagging_model import TaggingModel


@Model.register("sequence_tagger")
class SequenceTagger(TaggingModel):
    """
    Tags the words of a sentence: the dependency-aware model (Aguilar and Solorio, 2019), whose loss, equation 6 and
    footnote 4, is that with the `loss_reduction` `"sentence"`; the character-attention model (Rei, Crichton and
    Pyysalo, 2016); and every baseline.

    # Parameters

    dropout : `float`, optional (default = `0.0`)
        Variational dropout on the encoded words.
    **kwargs
        As in `TaggingModel`.
    """

    def __init__(self, dropout: float = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.dropout = InputVariationalDropout(dropout)

    def encode(self, embedded: torch.Tensor, mask: torch.BoolTensor, **context: torch.Tensor) -> torch.Tensor:
        return self.dropout(super().encode(embedded, mask, **context))
