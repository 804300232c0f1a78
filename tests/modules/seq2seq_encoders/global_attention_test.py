import pytest
import torch
from allennlp.common import Params
from allennlp.modules import Seq2SeqEncoder
from torch.testing import assert_close

from nerzoo.modules.seq2seq_encoders.attention import GlobalAttention

INPUT_SIZE, QUERY_SIZE, ATTENTION_SIZE = 5, 3, 7
LENGTHS = [7, 1, 0, 3, 2]


@pytest.fixture
def encoder() -> GlobalAttention:
    torch.manual_seed(3)
    encoder = GlobalAttention(INPUT_SIZE, QUERY_SIZE, ATTENTION_SIZE).double()
    for parameter in encoder.parameters():
        torch.nn.init.normal_(parameter)
    return encoder


@pytest.fixture
def inputs() -> torch.Tensor:
    torch.manual_seed(5)
    return torch.randn(len(LENGTHS), max(LENGTHS), INPUT_SIZE, dtype=torch.float64)


@pytest.fixture
def query() -> torch.Tensor:
    torch.manual_seed(7)
    return torch.randn(len(LENGTHS), QUERY_SIZE, dtype=torch.float64)


@pytest.fixture
def mask() -> torch.Tensor:
    return torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS).unsqueeze(1)


def one_sentence(encoder, words, q):
    """Weights a and outputs z of one sentence, word by word as in equation 3."""
    w_h, b_h = encoder.input_projection.weight, encoder.input_projection.bias
    w_q, b_q = encoder.query_projection.weight, encoder.query_projection.bias
    (v,) = encoder.vector.weight
    u = [v @ torch.tanh(w_h @ h + b_h + w_q @ q + b_q) for h in words]
    a = [torch.exp(u_i) / sum(torch.exp(u_j) for u_j in u) for u_i in u]
    return a, [a_i * h_i for a_i, h_i in zip(a, words, strict=True)]


def test_is_registered():
    params = {"input_size": INPUT_SIZE, "query_size": QUERY_SIZE, "attention_size": ATTENTION_SIZE}
    encoder = Seq2SeqEncoder.from_params(Params({"type": "global_attention", **params}))
    assert type(encoder) is GlobalAttention
    assert encoder.get_input_dim() == encoder.get_output_dim() == INPUT_SIZE
    assert encoder.query_size == QUERY_SIZE
    assert not encoder.is_bidirectional()


def test_equals_the_formula(encoder, inputs, mask, query):
    weights, outputs = encoder.attention(inputs, mask, query), encoder(inputs, mask, query)
    assert weights.shape == mask.shape and outputs.shape == inputs.shape
    for row, n in enumerate(LENGTHS):
        if n:
            a, z = one_sentence(encoder, inputs[row, :n], query[row])
            assert_close(weights[row, :n], torch.stack(a))
            assert_close(outputs[row, :n], torch.stack(z))


@pytest.mark.parametrize("scale", [1.0, 1e4])
def test_weights_are_a_distribution_over_the_words(encoder, inputs, mask, query, scale):
    encoder.vector.weight.data *= scale
    weights = encoder.attention(inputs, mask, query)
    assert (weights >= 0).all()
    assert_close(weights.sum(1), mask.any(1).double())


def test_padding_is_zero_and_has_no_influence(encoder, inputs, mask, query):
    outputs = encoder(inputs, mask, query)
    assert (encoder.attention(inputs, mask, query)[~mask] == 0).all()
    assert (outputs[~mask] == 0).all()
    assert_close(encoder(inputs.masked_fill(~mask.unsqueeze(2), 1e3), mask, query), outputs)
    for row, n in enumerate(LENGTHS):
        if n:
            alone = encoder(inputs[row : row + 1, :n], mask[row : row + 1, :n], query[row : row + 1])
            assert_close(alone, outputs[row : row + 1, :n])


def test_a_word_alone_is_left_as_it_is(encoder, inputs, query):
    inputs = inputs[:, :1]
    assert_close(encoder(inputs, torch.ones(len(LENGTHS), 1, dtype=torch.bool), query), inputs)


def test_gradients(encoder, inputs, mask, query):
    tensors = [inputs.requires_grad_(), query.requires_grad_(), *encoder.parameters()]
    # It perturbs its inputs in place, hence sees the parameters too.
    assert torch.autograd.gradcheck(lambda *_: encoder(inputs, mask, query), tensors)


def test_autocast(encoder, inputs, mask, query):
    encoder.float()
    inputs, query = inputs.float().requires_grad_(), query.float().requires_grad_()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        outputs = encoder(inputs, mask, query)
        outputs.float().square().sum().backward()
    assert_close(outputs.float(), encoder(inputs, mask, query), rtol=0.05, atol=0.05)
    assert all(tensor.grad.isfinite().all() for tensor in (inputs, query, *encoder.parameters()))


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_agrees_with_cpu(encoder, inputs, mask, query):
    results = []
    for device in ("cpu", "cuda"):
        tensors = [tensor.to(device, copy=True).requires_grad_() for tensor in (inputs, query)]
        encoder.to(device).zero_grad()
        outputs = encoder(tensors[0], mask.to(device), tensors[1])
        outputs.square().sum().backward()
        results.append([outputs, *(tensor.grad for tensor in (*tensors, *encoder.parameters()))])
    for on_cpu, on_gpu in zip(*results, strict=True):
        assert_close(on_gpu.cpu(), on_cpu.cpu())
