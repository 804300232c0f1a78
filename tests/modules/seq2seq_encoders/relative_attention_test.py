import pytest
import torch
from allennlp.common import Params
from allennlp.modules import Seq2SeqEncoder
from torch.testing import assert_close

from nerzoo.modules.seq2seq_encoders.attention import RelativeAttention

SIZE = 5
LENGTHS = [7, 1, 0, 3, 2]


@pytest.fixture
def encoder() -> RelativeAttention:
    torch.manual_seed(3)
    return RelativeAttention(SIZE).double()


@pytest.fixture
def inputs() -> torch.Tensor:
    torch.manual_seed(5)
    return 2 * torch.randn(len(LENGTHS), max(LENGTHS), SIZE, dtype=torch.float64)


@pytest.fixture
def mask() -> torch.Tensor:
    return torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS).unsqueeze(1)


def one_sentence(encoder, words):
    """Weights A and outputs M of one sentence of length n, word by word as in equations 1 and 2."""
    n = len(words)
    q = [encoder.query.weight @ word for word in words]
    k = [encoder.key.weight @ word for word in words]
    v = [encoder.value.weight @ word for word in words]
    a, m = torch.zeros(n, n, dtype=words.dtype), torch.empty_like(words)
    for i in range(n):
        scores = {j: torch.exp(q[i] @ k[j] / SIZE**0.5) for j in range(n) if j != i}
        m[i] = v[i]
        for j, score in scores.items():
            a[i, j] = score / sum(scores.values())
            m[i] = m[i] + a[i, j] * v[j]
    return a, m


def test_is_registered():
    encoder = Seq2SeqEncoder.from_params(Params({"type": "relative_attention", "input_size": SIZE}))
    assert type(encoder) is RelativeAttention
    assert encoder.get_input_dim() == encoder.get_output_dim() == SIZE
    assert not encoder.is_bidirectional()


@torch.no_grad()
def test_equals_the_formula(encoder, inputs, mask):
    weights, outputs = encoder.attention(inputs, mask), encoder(inputs, mask)
    for row, n in enumerate(LENGTHS):
        a, m = one_sentence(encoder, inputs[row, :n])
        assert_close(weights[row, :n, :n], a)
        assert_close(outputs[row, :n], m)


@pytest.mark.parametrize("scale", [1.0, 1e4])
def test_weights_are_distributions_over_the_other_words(encoder, inputs, mask, scale):
    weights = encoder.attention(scale * inputs, mask)
    assert (weights.diagonal(dim1=1, dim2=2) == 0).all()
    assert (weights >= 0).all()
    has_others = mask & (torch.tensor(LENGTHS) > 1).unsqueeze(1)
    assert_close(weights.sum(2), has_others.double())


def test_padding_is_zero_and_has_no_influence(encoder, inputs, mask):
    weights, outputs = encoder.attention(inputs, mask), encoder(inputs, mask)
    assert (weights[~(mask.unsqueeze(1) & mask.unsqueeze(2))] == 0).all()
    assert (outputs[~mask] == 0).all()
    assert_close(encoder(inputs.masked_fill(~mask.unsqueeze(2), 1e3), mask), outputs)
    for row, n in enumerate(LENGTHS):
        if n:
            alone = encoder(inputs[row : row + 1, :n], mask[row : row + 1, :n])
            assert_close(alone, outputs[row : row + 1, :n])


def test_a_word_alone_keeps_its_value(encoder, inputs):
    inputs = inputs[:, :1]
    assert_close(encoder(inputs, torch.ones(len(LENGTHS), 1, dtype=torch.bool)), encoder.value(inputs))


def test_gradients(encoder, inputs, mask):
    tensors = [inputs.requires_grad_(), *encoder.parameters()]
    # It perturbs its inputs in place, hence sees the parameters too.
    assert torch.autograd.gradcheck(lambda *_: encoder(inputs, mask), tensors)


def test_autocast(encoder, inputs, mask):
    encoder.float()
    inputs = inputs.float().requires_grad_()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        weights, outputs = encoder.attention(inputs, mask), encoder(inputs, mask)
        outputs.float().square().sum().backward()
    assert_close(outputs.float(), encoder(inputs, mask), rtol=0.05, atol=0.05)
    assert (weights.diagonal(dim1=1, dim2=2) == 0).all()
    assert all(tensor.grad.isfinite().all() for tensor in (inputs, *encoder.parameters()))


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_agrees_with_cpu(encoder, inputs, mask):
    results = []
    for device in ("cpu", "cuda"):
        on_device = inputs.to(device, copy=True).requires_grad_()
        encoder.to(device).zero_grad()
        outputs = encoder(on_device, mask.to(device))
        outputs.square().sum().backward()
        results.append([outputs, on_device.grad, *(parameter.grad for parameter in encoder.parameters())])
    for on_cpu, on_gpu in zip(*results, strict=True):
        assert_close(on_gpu.cpu(), on_cpu.cpu())
