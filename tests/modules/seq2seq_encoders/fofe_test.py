import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.modules import Seq2SeqEncoder
from torch.testing import assert_close

from nerzoo.modules.seq2seq_encoders.fofe import FofeSeq2SeqEncoder

INPUT_SIZE, ALPHA = 5, 0.7
LENGTHS = [7, 1, 0, 3, 2]


def make_encoder(**params) -> FofeSeq2SeqEncoder:
    params = {"type": "fofe", "input_size": INPUT_SIZE, "alpha": ALPHA, "direction": "both", **params}
    return Seq2SeqEncoder.from_params(Params(params))


@pytest.fixture
def inputs() -> torch.Tensor:
    torch.manual_seed(5)
    return torch.randn(len(LENGTHS), max(LENGTHS), INPUT_SIZE, dtype=torch.float64)


@pytest.fixture
def mask() -> torch.Tensor:
    return torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS).unsqueeze(1)


def left_contexts(sentence):
    """Equation 3.1 for a sentence (T, D), one word after the other."""
    codes = [sentence[0]]
    for word in sentence[1:]:
        codes.append(ALPHA * codes[-1] + word)
    return torch.stack(codes)


@pytest.mark.parametrize("direction, num_codes", [("forward", 1), ("backward", 1), ("both", 2)])
def test_sizes(direction, num_codes):
    encoder = make_encoder(direction=direction)
    assert (encoder.get_input_dim(), encoder.get_output_dim()) == (INPUT_SIZE, num_codes * INPUT_SIZE)
    assert encoder.is_bidirectional() == (direction == "both")
    assert not list(encoder.parameters())


def test_equals_the_recursion(inputs, mask):
    both = make_encoder()(inputs, mask)
    for row, length in enumerate(LENGTHS):
        if length:
            sentence = inputs[row, :length]
            right_contexts = left_contexts(sentence.flip(0)).flip(0)
            assert_close(both[row, :length], torch.cat([left_contexts(sentence), right_contexts], -1))
    assert torch.equal(make_encoder(direction="forward")(inputs, mask), both[..., :INPUT_SIZE])
    assert torch.equal(make_encoder(direction="backward")(inputs, mask), both[..., INPUT_SIZE:])


def test_padding_is_zero_and_has_no_influence(inputs, mask):
    encoder = make_encoder()
    inputs.requires_grad_()
    outputs = encoder(inputs, mask)
    outputs.square().sum().backward()
    assert (outputs[~mask] == 0).all() and (inputs.grad[~mask] == 0).all()
    assert torch.equal(encoder(inputs.masked_fill(~mask.unsqueeze(2), 1e3), mask), outputs)
    # A sentence alone, whose codes are put together in another order.
    assert_close(encoder(inputs[3:4, :3], mask[3:4, :3]), outputs[3:4, :3])


def test_autocast(inputs, mask):
    encoder, inputs = make_encoder(), inputs.float()
    expected = encoder(inputs, mask)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.equal(encoder(inputs, mask), expected)


@pytest.mark.parametrize("alpha", [0, 1.5])
def test_alpha_out_of_range_is_an_error(alpha):
    with pytest.raises(ConfigurationError, match=rf"found alpha = {alpha}, expected .* in \(0, 1\]"):
        make_encoder(alpha=alpha)


def test_unknown_direction_is_an_error():
    with pytest.raises(ConfigurationError, match="the direction 'left', expected 'forward', 'backward' or 'both'"):
        make_encoder(direction="left")


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_agrees_with_cpu(inputs, mask):
    encoder = make_encoder()
    on_cpu = encoder(inputs, mask)
    assert_close(encoder(inputs.to("cuda"), mask.to("cuda")).cpu(), on_cpu)
