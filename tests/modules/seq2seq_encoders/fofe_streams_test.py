import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.modules import Seq2SeqEncoder
from torch.testing import assert_close

from nerzoo.modules.seq2seq_encoders.fofe import FofeSeq2SeqEncoder, FofeStreams

INPUT_SIZE = 5
LENGTHS = [7, 1, 0, 3, 2]


def make_encoder(**params) -> FofeStreams:
    params = {"type": "fofe_streams", "input_size": INPUT_SIZE, "alpha": 0.7, **params}
    return Seq2SeqEncoder.from_params(Params(params))


@pytest.fixture
def inputs():
    torch.manual_seed(5)
    return torch.randn(len(LENGTHS), max(LENGTHS), INPUT_SIZE, dtype=torch.float64)


@pytest.fixture
def mask():
    return torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS).unsqueeze(1)


def padded_streams(sentence, order):
    """The streams of a sentence (T, D), whose first element is padded on the left up to the order."""
    padded = torch.cat([sentence[:1]] * (order - 1) + [sentence])
    return [padded[order - 1 - lag : len(padded) - lag] for lag in range(order)]


@pytest.mark.parametrize("order", [1, 2, 5])
@pytest.mark.parametrize("alpha", [0.0, 0.3, 1.0])
def test_equals_the_block_diagonal_matrices_of_the_thesis(order, alpha, inputs, mask):
    """Equations 4.1 and 4.2, the batch one below the other."""
    sentences = [row[:length] for row, length in zip(inputs, LENGTHS, strict=True) if length]
    rows = [torch.arange(len(sentence)) for sentence in sentences]
    powers = [(row.unsqueeze(1) - row).clamp(min=0) for row in rows]
    matrix = torch.block_diag(*[torch.tensor(alpha, dtype=torch.float64).pow(power).tril() for power in powers])
    streams = zip(*[padded_streams(sentence, order) for sentence in sentences], strict=True)
    expected = torch.cat([matrix @ torch.cat(stream) for stream in streams], 1)
    codes = make_encoder(alpha=alpha, order=order)(inputs, mask)
    assert codes.shape == (*mask.shape, order * INPUT_SIZE)
    assert_close(codes[mask], expected)
    assert not codes[~mask].any()


def test_first_order_is_the_code_of_left_contexts(inputs, mask):
    assert_close(make_encoder()(inputs, mask), FofeSeq2SeqEncoder(INPUT_SIZE, 0.7, "forward")(inputs, mask))


def test_without_memory_it_gives_the_last_words(inputs, mask):
    codes = make_encoder(alpha=0.0, order=3)(inputs, mask)[0].view(7, 3, INPUT_SIZE)
    sentence = inputs[0]
    assert torch.equal(codes[4], sentence[[4, 3, 2]])
    assert torch.equal(codes[1], sentence[[1, 0, 0]])
    assert torch.equal(codes[0], sentence[[0, 0, 0]])


@pytest.mark.parametrize("alpha", [0.0, 0.7])
def test_sees_what_is_past_alone_and_no_padding(alpha, inputs, mask):
    encoder = make_encoder(alpha=alpha, order=2)
    changed = inputs.clone()
    changed[0, 4:] += 1
    changed[~mask] = 9.0
    found, expected = encoder(changed, mask), encoder(inputs, mask)
    assert torch.equal(found[0, :4], expected[0, :4])
    assert torch.equal(found[1:], expected[1:])
    assert not torch.equal(found[0, 4:], expected[0, 4:])


def test_gradients(inputs, mask):
    assert torch.autograd.gradcheck(lambda x: make_encoder(order=3)(x, mask[:2, :4]), inputs[:2, :4].requires_grad_())


@pytest.mark.parametrize("alpha", [-0.1, 1.1])
def test_alpha_out_of_range(alpha):
    with pytest.raises(ConfigurationError, match=f"factor alpha {alpha}, expected a number from 0 to 1"):
        make_encoder(alpha=alpha)


def test_order_zero():
    with pytest.raises(ConfigurationError, match="found the order 0, expected at least 1"):
        make_encoder(order=0)


def test_sizes():
    encoder = make_encoder(order=3)
    assert (encoder.get_input_dim(), encoder.get_output_dim()) == (INPUT_SIZE, 3 * INPUT_SIZE)
    assert not encoder.is_bidirectional()


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@pytest.mark.parametrize("alpha", [0.0, 0.7])
def test_gpu_agrees_with_cpu(alpha, inputs, mask):
    encoder = make_encoder(alpha=alpha, order=2)
    assert_close(encoder(inputs.cuda(), mask.cuda()).cpu(), encoder(inputs, mask))
