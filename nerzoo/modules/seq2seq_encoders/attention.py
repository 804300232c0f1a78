"""Attentions of words that weight the inputs (B, T, D). Their method `attention` returns the weights."""

from typing import cast

import torch
from allennlp.modules import Seq2SeqEncoder
from allennlp.nn.util import masked_softmax

from nerzoo.modules.seq2seq_encoders.encoder import SizedEncoder


@Seq2SeqEncoder.register("relative_attention")
class RelativeAttention(SizedEncoder):
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
        super().__init__(input_size, input_size)
        self.query = torch.nn.Linear(input_size, input_size, bias=False)
        self.key = torch.nn.Linear(input_size, input_size, bias=False)
        self.value = torch.nn.Linear(input_size, input_size, bias=False)
        for projection in (self.query, self.key, self.value):
            torch.nn.init.xavier_uniform_(projection.weight)

    def forward(self, inputs: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        """Maps inputs (B, T, D) and mask (B, T) to outputs (B, T, D), zero at padding."""
        value = self.value(inputs)
        return (self.attention(inputs, mask) @ value + value) * mask.unsqueeze(-1)

    def attention(self, inputs: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        """
        Returns A, (B, T, T): row i holds the weights that word i gives to the others, which sum to one. The row of a
        word that is alone is zero, and so are rows and columns of padding.
        """
        # Q K^T = X W X^T: the product of both weights, once a batch, saves the keys of every word.
        weight = self.query.weight.t() @ self.key.weight * self.input_size**-0.5
        # shape: (B, T, T)
        scores = inputs @ weight @ inputs.transpose(1, 2)
        positions = torch.arange(mask.shape[1], device=mask.device)
        others = positions != positions.unsqueeze(1)
        attended = cast(torch.BoolTensor, mask.unsqueeze(1) & mask.unsqueeze(2) & others)
        return masked_softmax(scores, attended, memory_efficient=True) * attended


@Seq2SeqEncoder.register("global_attention")
class GlobalAttention(SizedEncoder):
    """
    Attention of a whole sentence, summed up in a query vector q, to its words (Aguilar and Solorio, 2019, section
    3.2.3, equation 3):

        u_i = v^T tanh(W_h h_i + b_h + W_q q + b_q)
        a   = softmax(u)
        z_i = a_i h_i

    The words are weighted, not summed: the output is a sequence.

    # Parameters

    input_size, query_size, attention_size : `int`
        D, the size of the words h_i and of the outputs; Q, the size of the query; and the size of v.
    """

    def __init__(self, input_size: int, query_size: int, attention_size: int) -> None:
        super().__init__(input_size, input_size)
        self.query_size = query_size
        self.input_projection = torch.nn.Linear(input_size, attention_size)
        self.query_projection = torch.nn.Linear(query_size, attention_size)
        self.vector = torch.nn.Linear(attention_size, 1, bias=False)
        for layer in (self.input_projection, self.query_projection, self.vector):
            torch.nn.init.xavier_uniform_(layer.weight)

    def forward(self, inputs: torch.Tensor, mask: torch.BoolTensor, query: torch.Tensor) -> torch.Tensor:
        """Maps inputs (B, T, D), mask (B, T) and query (B, Q) to outputs (B, T, D), zero at padding."""
        return self.attention(inputs, mask, query).unsqueeze(-1) * inputs

    def attention(self, inputs: torch.Tensor, mask: torch.BoolTensor, query: torch.Tensor) -> torch.Tensor:
        """Returns a, (B, T), which sums to one over the real words of a sentence and is zero at padding."""
        combined = self.input_projection(inputs) + self.query_projection(query).unsqueeze(1)
        scores = self.vector(combined.tanh()).squeeze(-1)
        return masked_softmax(scores, mask, memory_efficient=True) * mask
