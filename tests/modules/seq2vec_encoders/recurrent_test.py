import pytest
import torch
from allennlp.common import Params
from allennlp.modules import Seq2VecEncoder
from torch.testing import assert_close

from nerzoo.modules.seq2vec_encoders.recurrent import BiLstmSeq2VecEncoder, ProjectedBiGru, SummedGru

SIZE, HIDDEN = 5, 3
LENGTHS = [4, 1, 0, 7, 4, 1]


@pytest.fixture
def encoder() -> BiLstmSeq2VecEncoder:
    torch.manual_seed(1)
    params = Params({"type": "bilstm", "input_size": SIZE, "hidden_size": HIDDEN})
    return Seq2VecEncoder.from_params(params).double()


def make_inputs(lengths):
    torch.manual_seed(2)
    mask = torch.arange(max(max(lengths), 1)) < torch.tensor(lengths).unsqueeze(1)
    # Padding is not zero on purpose.
    return torch.randn(*mask.shape, SIZE, dtype=torch.float64, requires_grad=True), mask


def plain(lstm, inputs):
    """The last state of an LSTM over one sequence (T, D), gate by gate."""
    hidden = cell = inputs.new_zeros(HIDDEN)
    for x in inputs:
        gates = lstm.weight_ih_l0 @ x + lstm.bias_ih_l0 + lstm.weight_hh_l0 @ hidden + lstm.bias_hh_l0
        into, forget, new, out = gates.view(4, HIDDEN)
        cell = forget.sigmoid() * cell + into.sigmoid() * new.tanh()
        hidden = out.sigmoid() * cell.tanh()
    return hidden


@pytest.mark.parametrize("lengths", [LENGTHS, [1], [0], [0, 0], [3, 3]])
@pytest.mark.parametrize("as_numbers", [False, True])
@pytest.mark.parametrize("way", ["forward", "_last_states"])  # on a CPU, and as on a GPU
def test_equals_the_recursion(encoder, lengths, as_numbers, way):
    inputs, mask = make_inputs(lengths)
    found = getattr(encoder, way)(inputs, mask.long() if as_numbers else mask)
    assert found.shape == (len(lengths), encoder.get_output_dim()) == (len(lengths), 2 * HIDDEN)
    for row, length in enumerate(lengths):
        ahead = plain(encoder.lstm.forward_network, inputs[row, :length])
        behind = plain(encoder.lstm.backward_network, inputs[row, :length].flip(0))
        assert_close(found[row], torch.cat([ahead, behind]))
    (found.sum() + 0 * inputs.sum()).backward()
    assert not inputs.grad[~mask].any()


POST_LENGTHS = [7, 1, 0, 3]


def test_projected_bigru_is_equation_3_of_the_last_forward_and_the_first_backward_state():
    torch.manual_seed(3)
    params = Params({"type": "projected_bigru", "input_size": 5, "hidden_size": 3, "dropout": 0.5})
    encoder = Seq2VecEncoder.from_params(params).double().eval()
    assert (encoder.get_input_dim(), encoder.get_output_dim()) == (5, 3)
    inputs = torch.randn(len(POST_LENGTHS), max(POST_LENGTHS), 5, dtype=torch.float64, requires_grad=True)
    mask = torch.arange(max(POST_LENGTHS)) < torch.tensor(POST_LENGTHS).unsqueeze(1)
    outputs = encoder(inputs, mask)
    # AllenNLP's embedder of characters makes masks of integers.
    assert_close(encoder(inputs, mask.long()), outputs)
    for row, length, output in zip(inputs, POST_LENGTHS, outputs, strict=True):
        expected = torch.zeros(3, dtype=torch.float64)
        if length:
            words = row[:length].unsqueeze(0)
            _, ahead = encoder.gru.forward_network(words)
            _, behind = encoder.gru.backward_network(words.flip(1))
            weight, bias = encoder.projection.weight, encoder.projection.bias
            expected = torch.tanh(weight[:, :3] @ ahead[0, 0] + weight[:, 3:] @ behind[0, 0] + bias)
        assert_close(output, expected)
    outputs.sum().backward()
    for gradient, length in zip(inputs.grad, POST_LENGTHS, strict=True):
        assert not gradient[length:].any()
        assert gradient[:length].any() == (length > 0)


def test_dropout_is_on_inputs_and_outputs_of_the_gru():
    encoder = ProjectedBiGru(5, 3, dropout=1.0)
    inputs, mask = torch.randn(2, 4, 5), torch.ones(2, 4).bool()
    assert_close(encoder(inputs, mask), encoder.projection.bias.tanh().expand(2, 3))


def test_summed_gru_is_equation_1():
    torch.manual_seed(3)
    params = Params({"type": "summed_gru", "embedding_dim": 5, "hidden_size": 3, "output_dim": 11, "dropout": 0.5})
    encoder = Seq2VecEncoder.from_params(params).double().eval()
    assert (encoder.get_input_dim(), encoder.get_output_dim()) == (5, 11)
    inputs = torch.randn(len(POST_LENGTHS), max(POST_LENGTHS), 5, dtype=torch.float64, requires_grad=True)
    # AllenNLP's embedder of characters makes masks of integers.
    mask = (torch.arange(max(POST_LENGTHS)) < torch.tensor(POST_LENGTHS).unsqueeze(1)).long()
    outputs = encoder(inputs, mask)
    for row, length, output in zip(inputs, POST_LENGTHS, outputs, strict=True):
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
    for gradient, length in zip(inputs.grad, POST_LENGTHS, strict=True):
        assert not gradient[length:].any()
        assert gradient[:length].any() == (length > 0)


def test_dropout_is_on_inputs_and_on_the_sum():
    encoder = SummedGru(5, 3, 11, dropout=1.0)
    inputs, mask = torch.randn(2, 4, 5), torch.ones(2, 4).bool()
    assert_close(encoder(inputs, mask), encoder.feedforward.bias.relu().expand(2, 11))
