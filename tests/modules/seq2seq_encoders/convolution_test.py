import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.modules import Seq2SeqEncoder
from torch.testing import assert_close

from nerzoo.modules.seq2seq_encoders.convolution import Convolution

INPUT_SIZE, HIDDEN_SIZE = 5, 7
LENGTHS = [11, 1, 0, 3, 2]


def make_encoder(**params) -> Convolution:
    torch.manual_seed(3)
    params = {"type": "convolution", "input_size": INPUT_SIZE, "hidden_size": HIDDEN_SIZE, **params}
    return Seq2SeqEncoder.from_params(Params(params)).double()


@pytest.fixture
def inputs() -> torch.Tensor:
    torch.manual_seed(5)
    return torch.randn(len(LENGTHS), max(LENGTHS), INPUT_SIZE, dtype=torch.float64)


@pytest.fixture
def mask() -> torch.Tensor:
    return torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS).unsqueeze(1)


def window_network(encoder, sentence):
    """A sentence (T, D) to (T, H), one word after the other."""
    weight, bias = encoder.convolution.weight, encoder.convolution.bias
    reach = weight.shape[2] // 2
    outputs = []
    for word in range(len(sentence)):
        output = bias
        for offset in range(-reach, reach + 1):
            if 0 <= word + offset < len(sentence):
                output = output + weight[:, :, offset + reach] @ sentence[word + offset]
        outputs.append(output.clamp(-1, 1))
    return torch.stack(outputs)


def test_sizes():
    encoder = make_encoder()
    assert (encoder.get_input_dim(), encoder.get_output_dim()) == (INPUT_SIZE, HIDDEN_SIZE)
    assert not encoder.is_bidirectional()


@pytest.mark.parametrize("params", [{}, {"window_size": 1}, {"window_size": 3}])
def test_equals_the_window_network(params, inputs, mask):
    encoder = make_encoder(**params)
    # Some values beyond both bends of the hard tanh.
    outputs = encoder(3 * inputs, mask)
    assert outputs.min() == -1 and outputs.max() == 1
    for row, length in enumerate(LENGTHS):
        if length:
            assert_close(outputs[row, :length], window_network(encoder, 3 * inputs[row, :length]))


def test_window_is_of_five_words_by_default(inputs, mask):
    encoder = make_encoder()
    inputs.requires_grad_()
    encoder(inputs, mask)[0, 5].sum().backward()
    assert inputs.grad[0].abs().sum(1).nonzero().flatten().tolist() == [3, 4, 5, 6, 7]


def test_padding_is_zero_and_has_no_influence(inputs, mask):
    encoder = make_encoder()
    inputs.requires_grad_()
    outputs = encoder(inputs, mask)
    outputs.square().sum().backward()
    assert (outputs[~mask] == 0).all() and (inputs.grad[~mask] == 0).all()
    assert_close(encoder(inputs.masked_fill(~mask.unsqueeze(2), 1e3), mask), outputs)


@pytest.mark.parametrize("window_size", [4, 0, -1])
def test_window_without_a_middle_is_an_error(window_size):
    with pytest.raises(ConfigurationError, match=f"found a window of {window_size} words, expected an odd"):
        make_encoder(window_size=window_size)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_agrees_with_cpu(inputs, mask):
    encoder = make_encoder()
    on_cpu = encoder(inputs, mask)
    assert_close(encoder.to("cuda")(inputs.to("cuda"), mask.to("cuda")).cpu(), on_cpu)
