import math

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.modules import Seq2VecEncoder
from torch.autograd import gradcheck
from torch.testing import assert_close

from nerzoo.modules.seq2vec_encoders.fofe import FofeSeq2VecEncoder
from nerzoo.nn.fofe import fofe_encode

SIZE, ALPHA = 5, 0.7
LENGTHS = [7, 1, 0, 3]


def make_encoder(**params) -> FofeSeq2VecEncoder:
    params = {"type": "fofe", "embedding_dim": SIZE, "alpha": ALPHA, "direction": "both", **params}
    return Seq2VecEncoder.from_params(Params(params))


@pytest.fixture
def inputs() -> torch.Tensor:
    torch.manual_seed(5)
    return torch.randn(len(LENGTHS), max(LENGTHS), SIZE, dtype=torch.float64)


@pytest.fixture
def mask() -> torch.Tensor:
    return torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS).unsqueeze(1)


def code(sequence):
    """Equation 3.1 for a sequence (T, D)."""
    last = torch.zeros(SIZE, dtype=sequence.dtype)
    for element in sequence:
        last = ALPHA * last + element
    return last


@pytest.mark.parametrize("direction, num_codes", [("forward", 1), ("backward", 1), ("both", 2)])
def test_sizes(direction, num_codes):
    encoder = make_encoder(direction=direction)
    assert (encoder.get_input_dim(), encoder.get_output_dim()) == (SIZE, num_codes * SIZE)
    assert not list(encoder.parameters())


def test_equals_the_recursion(inputs, mask):
    expected = torch.stack(
        [
            torch.cat([code(row[:length]), code(row[:length].flip(0))])
            for row, length in zip(inputs, LENGTHS, strict=True)
        ]
    )
    assert_close(make_encoder()(inputs, mask), expected)
    assert_close(make_encoder(direction="forward")(inputs, mask), expected[:, :SIZE])
    assert_close(make_encoder(direction="backward")(inputs, mask), expected[:, SIZE:])
    assert_close(make_encoder()(inputs[:1]), expected[:1])


def test_padding_has_no_influence(inputs, mask):
    encoder = make_encoder()
    outputs = encoder(inputs, mask)
    assert not outputs[LENGTHS.index(0)].any()
    assert torch.equal(encoder(inputs.masked_fill(~mask.unsqueeze(2), math.nan), mask), outputs)
    # A mask of integers, as `character_encoding` makes it.
    assert torch.equal(encoder(inputs, mask.long()), outputs)


def test_gradients(inputs, mask):
    assert gradcheck(lambda x: make_encoder()(x, mask), inputs.requires_grad_())


@pytest.mark.parametrize("alpha", [0.01, 0.9999, 1.0])
def test_long_sequences(alpha):
    torch.manual_seed(7)
    sequence = torch.randn(1, 10_000, 1)
    code = make_encoder(embedding_dim=1, alpha=alpha, direction="forward")(sequence)
    assert_close(code, fofe_encode(sequence.double(), alpha)[:, -1].float(), rtol=1e-4, atol=1e-4)


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
