from typing import cast

import torch
from allennlp.modules import Seq2SeqEncoder
from allennlp.nn.util import masked_softmax

from nerzoo.modules.seq2seq_encoders.attention_encoder import AttentionEncoder


@Seq2SeqEncoder.register("relative_attention")
class RelativeAttention(AttentionEncoder):
    """
    Attention of each word to the other words of its sentence (Aguilar and Solorio, 2019, section 3.2.2):

        A = softmax(d^-1/2 Q K^T) without the diagonal      (equation 1)
        M = A V + V                                         (equation 2)

    with linear projections Q, K, V of the input. A word that is alone in its sentence attends to nothing: M = V.

    # Parameters

    input_size : `int`
        D, the size of the inputs and of the outputs.
    """

    def __init__(self, input_size: int) -> None:
        super().__init__(input_size)
        self.query = torch.nn.Linear(input_size, input_size, bias=False)
        self.key = torch.nn.Linear(input_size, input_size, bias=False)
        self.value = torch.nn.Linear(input_size, input_size, bias=False)
        for projection in (self.query, self.key, self.value):
            torch.nn.init.xavier_uniform_(projection.weight)

    def forward(self, inputs: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        """Inputs (B, T, D) and mask (B, T) to outputs (B, T, D), zero at padding."""
        value = self.value(inputs)
        return (self.attention(inputs, mask) @ value + value) * mask.unsqueeze(-1)

    def attention(self, inputs: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        """
        A, shape (B, T, T): row i holds the weights that word i gives to the others, which sum to one. The row of a word
        that is alone is zero, and so are rows and columns of padding.
        """
        # Q K^T = X W X^T: the product of both weights, once a batch, saves the keys of every word.
        weight = self.query.weight.t() @ self.key.weight * self.input_size**-0.5
        scores = inputs @ weight @ inputs.transpose(1, 2)
        others = ~torch.eye(mask.shape[1], dtype=torch.bool, device=mask.device)
        attended = cast(torch.BoolTensor, mask.unsqueeze(1) & mask.unsqueeze(2) & others)
        return masked_softmax(scores, attended, memory_efficient=True) * attended
