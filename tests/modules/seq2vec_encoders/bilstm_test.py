import pytest
import torch
from allennlp.common import Params
from allennlp.modules import Seq2VecEncoder
from torch.testing import assert_close

from nerzoo.modules.seq2vec_encoders.recurrent import BiLstmSeq2VecEncoder

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
@pytest.mark.parametrize("way", ["forward", "_encode_padded"])  # on a CPU, and as on a GPU
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
