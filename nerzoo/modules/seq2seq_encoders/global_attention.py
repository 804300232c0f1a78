import torch
from allennlp.modules import Seq2SeqEncoder
from allennlp.nn.util import masked_softmax

from nerzoo.modules.seq2seq_encoders.attention_encoder import AttentionEncoder


@Seq2SeqEncoder.register("global_attention")
class GlobalAttention(AttentionEncoder):
    """
    Attention of a whole sentence, summed up in a query vector q, to its words (Aguilar and Solorio, 2019, section
    3.2.3, equation 3):

        u_i = v^T tanh(W_h h_i + b_h + W_q q + b_q)
        a   = softmax(u)
        z_i = a_i h_i

    The words are weighted, not summed: a sequence comes out.

    # Parameters

    input_size : `int`
        D, the size of the words h_i and of the outputs.
    query_size : `int`
        Q, the size of the query.
    attention_size : `int`
        The size of the space in which words and query meet.
    """

    def __init__(self, input_size: int, query_size: int, attention_size: int) -> None:
        super().__init__(input_size)
        self.query_size = query_size
        self.input_projection = torch.nn.Linear(input_size, attention_size)
        self.query_projection = torch.nn.Linear(query_size, attention_size)
        self.vector = torch.nn.Linear(attention_size, 1, bias=False)
        for layer in (self.input_projection, self.query_projection, self.vector):
            torch.nn.init.xavier_uniform_(layer.weight)

    def forward(self, inputs: torch.Tensor, mask: torch.BoolTensor, query: torch.Tensor) -> torch.Tensor:
        """Inputs (B, T, D), mask (B, T) and query (B, Q) to outputs (B, T, D), zero at padding."""
        return self.attention(inputs, mask, query).unsqueeze(-1) * inputs

    def attention(self, inputs: torch.Tensor, mask: torch.BoolTensor, query: torch.Tensor) -> torch.Tensor:
        """a, shape (B, T): sums to one over the real words of a sentence, zero at padding."""
        combined = self.input_projection(inputs) + self.query_projection(query).unsqueeze(1)
        scores = self.vector(combined.tanh()).squeeze(-1)
        return masked_softmax(scores, mask, memory_efficient=True) * mask
