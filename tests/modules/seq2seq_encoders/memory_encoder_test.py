import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.modules import Seq2SeqEncoder
from torch.testing import assert_close

from nerzoo.modules.seq2seq_encoders import MemoryEncoder
from nerzoo.modules.seq2seq_encoders.memory_window import MemoryWindow
from nerzoo.modules.seq2seq_encoders.recurrent_memory import RecurrentMemory

INPUT_SIZE, HIDDEN_SIZE = 5, 3
LENGTHS = [7, 1, 0, 3, 2]
VARIANTS = {
    "paper": {},
    "three_hops": {"num_hops": 3},
    "no_hop": {"num_hops": 0},
    "shared": {"shared_memory": True},
    "all": {"causal": False},
    "null": {"null_memory": True, "num_hops": 2},
    "all_null": {"causal": False, "null_memory": True},
}
WINDOWS = [None, *(MemoryWindow(size, kept) for kept in ("first", "recent") for size in (1, 2, 3, 9))]


@pytest.fixture(params=VARIANTS)
def encoder(request) -> MemoryEncoder:
    torch.manual_seed(3)
    return MemoryEncoder(INPUT_SIZE, HIDDEN_SIZE, **VARIANTS[request.param]).double()


@pytest.fixture
def inputs() -> torch.Tensor:
    torch.manual_seed(5)
    return 2 * torch.randn(len(LENGTHS), max(LENGTHS), INPUT_SIZE, dtype=torch.float64)


@pytest.fixture
def mask() -> torch.Tensor:
    return torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS).unsqueeze(1)


def gru(weights, x, state):
    """One step of a GRU, as torch.nn.GRU documents it."""
    reset_x, update_x, new_x = (weights.weight_ih_l0 @ x + weights.bias_ih_l0).chunk(3)
    reset_h, update_h, new_h = (weights.weight_hh_l0 @ state + weights.bias_hh_l0).chunk(3)
    update = torch.sigmoid(update_x + update_h)
    new = torch.tanh(new_x + torch.sigmoid(reset_x + reset_h) * new_h)
    return (1 - update) * new + update * state


def slots(memory, words):
    """Equations 1 to 3, word by word."""
    ahead, behind = [torch.zeros(HIDDEN_SIZE).double()], [torch.zeros(HIDDEN_SIZE).double()]
    for word in words:
        ahead.append(gru(memory.gru.forward_network, word, ahead[-1]))
    for word in reversed(words):
        behind.insert(0, gru(memory.gru.backward_network, word, behind[0]))
    forward_weight, backward_weight = memory.projection.weight.chunk(2, 1)
    return [
        torch.tanh(forward_weight @ ahead[t + 1] + backward_weight @ behind[t] + memory.projection.bias)
        for t in range(len(words))
    ]


def seen(encoder, window, t, n):
    """The positions that word t of n sees."""
    positions = range(t + 1) if encoder.causal else range(n)
    if window and window.kept == "first":
        return [i for i in positions if i < window.size]
    return [i for i in positions if not window or i > t - window.size]


def one_document(encoder, words, window):
    """Outputs and weights (K, T, T or T + 1), by equations 4 to 6."""
    n = len(words)
    m = slots(encoder.input_memory, words)
    c = m if encoder.output_memory is None else slots(encoder.output_memory, words)
    zero = torch.zeros(HIDDEN_SIZE).double()
    null = int(encoder.null_memory)
    weights = torch.zeros(encoder.num_hops, n, n + null).double()
    outputs = []
    for t in range(n):
        u = m[t]
        for k in range(encoder.num_hops):
            reached = [(i + null, m[i], c[i]) for i in seen(encoder, window, t, n)] + [(0, zero, zero)] * null
            total = sum(torch.exp(u @ m_i) for _, m_i, _ in reached)
            o = zero
            for place, m_i, c_i in reached:
                weights[k, t, place] = torch.exp(u @ m_i) / total
                o = o + weights[k, t, place] * c_i
            u = o + u
        outputs.append(u)
    return torch.stack(outputs), weights


def windows(encoder):
    return [window for window in WINDOWS if encoder.causal or window is None or window.kept == "first"]


def test_is_registered():
    params = {"type": "memory_hop", "input_size": INPUT_SIZE, "hidden_size": HIDDEN_SIZE, "num_hops": 2}
    encoder = Seq2SeqEncoder.from_params(Params(params))
    assert type(encoder) is MemoryEncoder
    assert (encoder.get_input_dim(), encoder.get_output_dim()) == (INPUT_SIZE, HIDDEN_SIZE)
    assert not encoder.is_bidirectional()


@torch.no_grad()
def test_equals_the_equations(encoder, inputs, mask):
    for window in windows(encoder):
        outputs, read = encoder(inputs, mask, window), encoder.read(inputs, mask, window)
        assert (outputs[~mask] == 0).all()
        assert_close(read.output, outputs)
        for row, n in enumerate(LENGTHS):
            if n:
                expected, weights = one_document(encoder, inputs[row, :n], window)
                assert_close(outputs[row, :n], expected)
                assert_close(read.attention[:, row, :n, : weights.shape[2]], weights)


def test_weights_are_distributions(encoder, inputs, mask):
    for window in windows(encoder):
        attention = encoder.read(10 * inputs, mask, window).attention
        assert attention.shape == (encoder.num_hops, *mask.shape, mask.shape[1] + encoder.null_memory)
        assert_close(attention.sum(-1), mask.double().expand(encoder.num_hops, *mask.shape))


def test_gradients_of_both_ways_agree(encoder, inputs, mask):
    for window in windows(encoder):
        gradients = []
        for way in (encoder, lambda *args: encoder.read(*args).output):
            inputs.requires_grad_().grad = None
            encoder.zero_grad()
            way(inputs, mask, window).square().sum().backward()
            gradients.append([inputs.grad, *(parameter.grad for parameter in encoder.parameters())])
        for fast, explicit in zip(*gradients, strict=True):
            assert_close(fast, explicit)
        assert (inputs.grad[~mask] == 0).all()


def test_current_input_may_come_from_elsewhere(inputs, mask):
    encoder = MemoryEncoder(INPUT_SIZE, HIDDEN_SIZE).double()
    current = torch.randn(*mask.shape, HIDDEN_SIZE).double()
    outputs, read = encoder(inputs, mask, current=current), encoder.read(inputs, mask, current=current)
    assert_close(outputs, read.output)
    (m,) = RecurrentMemory.fill([encoder.input_memory], inputs, mask)
    assert_close(read.attention[0, 0, 6], (m[0] @ current[0, 6]).softmax(0))


def test_dropout_is_on_inputs_and_outputs_of_the_grus(inputs, mask):
    encoder = MemoryEncoder(INPUT_SIZE, HIDDEN_SIZE, num_hops=0, dropout=1.0).double()
    expected = encoder.input_memory.projection.bias.tanh() * mask.unsqueeze(-1)
    assert_close(encoder(inputs, mask), expected)
    assert (encoder.input_memory.states(inputs, mask) == 0).all()
    assert (encoder.eval()(inputs, mask) != expected)[mask].all()


def test_memories_miss_the_same_inputs(inputs, mask):
    class FirstFeature(torch.nn.Module):
        def forward(self, x):
            return x * (torch.arange(INPUT_SIZE) > 0) if x.shape[-1] == INPUT_SIZE else x

    memories = [RecurrentMemory(INPUT_SIZE, HIDDEN_SIZE, 0.5).double() for _ in range(2)]
    expected = RecurrentMemory.fill([memory.eval() for memory in memories], FirstFeature()(inputs), mask)
    memories[0].dropout, memories[1].dropout = FirstFeature(), torch.nn.Identity()
    assert_close(RecurrentMemory.fill(memories, inputs, mask), expected)


@pytest.mark.parametrize("variant", ["paper", "null", "all"])
def test_no_matrix_of_all_words_by_all_slots(variant):
    encoder = MemoryEncoder(INPUT_SIZE, HIDDEN_SIZE, **VARIANTS[variant])
    inputs, mask = torch.randn(1, 3000, INPUT_SIZE), torch.ones(1, 3000, dtype=torch.bool)
    saved = []
    with torch.autograd.graph.saved_tensors_hooks(lambda x: saved.append(x.numel()) or x, lambda x: x):
        for window in (None, MemoryWindow(100, "first"), *[MemoryWindow(100)] * encoder.causal):
            encoder(inputs, mask, window)
    assert max(saved) < 3000 * 3000 / 8


def test_autocast(encoder, inputs, mask):
    encoder.float()
    inputs = inputs.float().requires_grad_()
    for way in (encoder, lambda *args: encoder.read(*args).output):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            outputs = way(inputs, mask)
            outputs.float().square().sum().backward()
        assert_close(outputs.float(), encoder(inputs, mask), rtol=0.05, atol=0.05)
    assert all(tensor.grad.isfinite().all() for tensor in (inputs, *encoder.parameters()))


def test_a_memory_of_the_recent_words_must_be_causal(inputs, mask):
    encoder = MemoryEncoder(INPUT_SIZE, HIDDEN_SIZE, causal=False).double()
    with pytest.raises(ConfigurationError, match="expected causal"):
        encoder(inputs, mask, MemoryWindow(2))


@pytest.mark.parametrize("params", [{"size": 0}, {"size": -3}, {"size": 3, "kept": "last"}])
def test_bad_windows(params):
    with pytest.raises(ConfigurationError, match=r"found a memory .*, expected"):
        MemoryWindow.from_params(Params(params))


def test_bad_number_of_hops():
    with pytest.raises(ConfigurationError, match="found num_hops -1"):
        MemoryEncoder(INPUT_SIZE, HIDDEN_SIZE, num_hops=-1)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_agrees_with_cpu(encoder, inputs, mask):
    for window in windows(encoder):
        results = []
        for device in ("cpu", "cuda"):
            on_device = inputs.to(device, copy=True).requires_grad_()
            encoder.to(device).zero_grad()
            outputs = encoder(on_device, mask.to(device), window)
            outputs.square().sum().backward()
            results.append([outputs, on_device.grad, *(parameter.grad for parameter in encoder.parameters())])
        for on_cpu, on_gpu in zip(*results, strict=True):
            assert_close(on_gpu.cpu(), on_cpu.cpu())
