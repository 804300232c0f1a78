import torch
from allennlp.common import Params
from allennlp.modules import Seq2VecEncoder
from torch.testing import assert_close

from nerzoo.modules.seq2vec_encoders.recurrent import ProjectedBiGru

LENGTHS = [7, 1, 0, 3]


def test_is_equation_3_of_the_last_forward_and_the_first_backward_state():
    torch.manual_seed(3)
    params = Params({"type": "projected_bigru", "input_size": 5, "hidden_size": 3, "dropout": 0.5})
    encoder = Seq2VecEncoder.from_params(params).double().eval()
    assert (encoder.get_input_dim(), encoder.get_output_dim()) == (5, 3)
    inputs = torch.randn(len(LENGTHS), max(LENGTHS), 5, dtype=torch.float64, requires_grad=True)
    outputs = encoder(inputs, torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS).unsqueeze(1))
    for row, length, output in zip(inputs, LENGTHS, outputs, strict=True):
        expected = torch.zeros(3, dtype=torch.float64)
        if length:
            words = row[:length].unsqueeze(0)
            _, ahead = encoder.gru.forward_network(words)
            _, behind = encoder.gru.backward_network(words.flip(1))
            weight, bias = encoder.projection.weight, encoder.projection.bias
            expected = torch.tanh(weight[:, :3] @ ahead[0, 0] + weight[:, 3:] @ behind[0, 0] + bias)
        assert_close(output, expected)
    outputs.sum().backward()
    for gradient, length in zip(inputs.grad, LENGTHS, strict=True):
        assert not gradient[length:].any()
        assert gradient[:length].any() == (length > 0)


def test_dropout_is_on_inputs_and_outputs_of_the_gru():
    encoder = ProjectedBiGru(5, 3, dropout=1.0)
    inputs, mask = torch.randn(2, 4, 5), torch.ones(2, 4).bool()
    assert_close(encoder(inputs, mask), encoder.projection.bias.tanh().expand(2, 3))
