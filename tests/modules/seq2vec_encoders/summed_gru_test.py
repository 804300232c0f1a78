import torch
from allennlp.common import Params
from allennlp.modules import Seq2VecEncoder
from torch.testing import assert_close

from nerzoo.modules.seq2vec_encoders.recurrent import SummedGru

LENGTHS = [7, 1, 0, 3]


def test_is_equation_1():
    torch.manual_seed(3)
    params = Params({"type": "summed_gru", "embedding_dim": 5, "hidden_size": 3, "output_dim": 11, "dropout": 0.5})
    encoder = Seq2VecEncoder.from_params(params).double().eval()
    assert (encoder.get_input_dim(), encoder.get_output_dim()) == (5, 11)
    inputs = torch.randn(len(LENGTHS), max(LENGTHS), 5, dtype=torch.float64, requires_grad=True)
    # AllenNLP's embedder of characters makes masks of integers.
    mask = (torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS).unsqueeze(1)).long()
    outputs = encoder(inputs, mask)
    for row, length, output in zip(inputs, LENGTHS, outputs, strict=True):
        expected = torch.zeros(11, dtype=torch.float64)
        if length:
            characters = row[:length].unsqueeze(0)
            ahead, _ = encoder.gru.forward_network(characters)
            behind, _ = encoder.gru.backward_network(characters.flip(1))
            total = torch.cat([sum(ahead[0]), sum(behind[0])])
            expected = torch.relu(encoder.feedforward.weight @ total + encoder.feedforward.bias)
        assert_close(output, expected)
    assert (outputs > 0).any()
    outputs.sum().backward()
    for gradient, length in zip(inputs.grad, LENGTHS, strict=True):
        assert not gradient[length:].any()
        assert gradient[:length].any() == (length > 0)


def test_dropout_is_on_inputs_and_on_the_sum():
    encoder = SummedGru(5, 3, 11, dropout=1.0)
    inputs, mask = torch.randn(2, 4, 5), torch.ones(2, 4).bool()
    assert_close(encoder(inputs, mask), encoder.feedforward.bias.relu().expand(2, 11))
