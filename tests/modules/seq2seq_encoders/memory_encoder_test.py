from typing import List

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.modules import Seq2SeqEncoder
from torch.testing import assert_close

from nerzoo.modules.seq2seq_encoders.memory import MemoryEncoder, MemoryWindow, RecurrentMemory

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


# The sentences of each document.
SENTENCES = torch.tensor(
    [
        [[0, 1, 2], [3, -1, -1], [4, 5, 6]],
        [[0, -1, -1], [-1, -1, -1], [-1, -1, -1]],
        [[-1, -1, -1], [-1, -1, -1], [-1, -1, -1]],
        [[0, 1, -1], [2, -1, -1], [-1, -1, -1]],
        [[0, 1, -1], [-1, -1, -1], [-1, -1, -1]],
    ]
)


def build(**params) -> MemoryEncoder:
    """The same weights for the same architecture, whatever the window."""
    torch.manual_seed(3)
    return MemoryEncoder(INPUT_SIZE, HIDDEN_SIZE, **params).double()


def build_all(variant) -> List[MemoryEncoder]:
    """The variant with every window that it may have."""
    params = VARIANTS[variant]
    causal = params.get("causal", True)
    return [build(window=window, **params) for window in WINDOWS if causal or window is None or window.kept == "first"]


@pytest.fixture(params=VARIANTS)
def variant(request) -> str:
    return request.param


@pytest.fixture
def encoder(variant) -> MemoryEncoder:
    return build(**VARIANTS[variant])


@pytest.fixture
def encoders(variant) -> List[MemoryEncoder]:
    return build_all(variant)


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


def states(memory, words):
    """Equations 1 and 2, word by word: the states of the forward and of the backward GRU."""
    ahead, behind = [torch.zeros(HIDDEN_SIZE).double()], [torch.zeros(HIDDEN_SIZE).double()]
    for word in words:
        ahead.append(gru(memory.gru.forward_network, word, ahead[-1]))
    for word in reversed(words):
        behind.insert(0, gru(memory.gru.backward_network, word, behind[0]))
    return ahead[1:], behind[:-1]


def slots(memory, words):
    """Equation 3."""
    ahead, behind = states(memory, words)
    forward_weight, backward_weight = memory.projection.weight.chunk(2, 1)
    return [
        torch.tanh(forward_weight @ ahead[t] + backward_weight @ behind[t] + memory.projection.bias)
        for t in range(len(words))
    ]


def seen(encoder, t, n):
    """The positions that word t of n sees."""
    window = encoder.window
    positions = range(t + 1) if encoder.causal else range(n)
    if window and window.kept == "first":
        return [i for i in positions if i < window.size]
    return [i for i in positions if not window or i > t - window.size]


def sentence_inputs(encoder, words, sentences):
    """u^1 of each word from the GRU over its sentence alone."""
    inputs = []
    for sentence in sentences:
        ahead, behind = states(encoder.input_memory, [words[position] for position in sentence])
        weight, bias = encoder.current_projection.weight, encoder.current_projection.bias
        inputs += [torch.tanh(weight @ torch.cat(both) + bias) for both in zip(ahead, behind, strict=True)]
    return inputs


def one_document(encoder, words, sentences):
    """Outputs and weights (K, T, T or T + 1), by equations 4 to 6."""
    n = len(words)
    m = slots(encoder.input_memory, words)
    c = m if encoder.output_memory is None else slots(encoder.output_memory, words)
    zero = torch.zeros(HIDDEN_SIZE).double()
    null = int(encoder.null_memory)
    weights = torch.zeros(encoder.num_hops, n, n + null).double()
    current = m if encoder.current_projection is None else sentence_inputs(encoder, words, sentences)
    outputs = []
    for t in range(n):
        u = current[t]
        for k in range(encoder.num_hops):
            reached = [(i + null, m[i], c[i]) for i in seen(encoder, t, n)] + [(0, zero, zero)] * null
            total = sum(torch.exp(u @ m_i) for _, m_i, _ in reached)
            o = zero
            for place, m_i, c_i in reached:
                weights[k, t, place] = torch.exp(u @ m_i) / total
                o = o + weights[k, t, place] * c_i
            u = o + u
        outputs.append(u)
    return torch.stack(outputs), weights


def test_is_registered():
    params = {"type": "memory_hop", "input_size": INPUT_SIZE, "hidden_size": HIDDEN_SIZE, "num_hops": 2}
    encoder = Seq2SeqEncoder.from_params(Params({**params}))
    assert type(encoder) is MemoryEncoder
    assert (encoder.get_input_dim(), encoder.get_output_dim()) == (INPUT_SIZE, HIDDEN_SIZE)
    assert not encoder.is_bidirectional()
    # Under its own name, too, so that a constructor may ask for a memory.
    bounded = MemoryEncoder.from_params(Params({**params, "window": {"size": 7, "kept": "first"}}))
    assert type(bounded) is MemoryEncoder
    assert (encoder.window, bounded.window) == (None, MemoryWindow(7, "first"))


@pytest.mark.parametrize("current_input", ["memory", "sentence"])
@torch.no_grad()
def test_equals_the_equations(variant, inputs, mask, current_input):
    for window in WINDOWS:
        params = {**VARIANTS[variant], "window": window, "current_input": current_input}
        if window is not None and window.kept == "recent" and not params.get("causal", True):
            continue
        encoder = build(**params)
        outputs, read = encoder(inputs, mask, SENTENCES), encoder.read(inputs, mask, SENTENCES)
        assert (outputs[~mask] == 0).all()
        assert_close(read.output, outputs)
        for row, n in enumerate(LENGTHS):
            if n:
                sentences = [sentence[sentence >= 0].tolist() for sentence in SENTENCES[row]]
                expected, weights = one_document(encoder, inputs[row, :n], sentences)
                assert_close(outputs[row, :n], expected)
                assert_close(read.attention[:, row, :n, : weights.shape[2]], weights)


def test_weights_are_distributions(encoders, inputs, mask):
    for encoder in encoders:
        attention = encoder.read(10 * inputs, mask).attention
        assert attention.shape == (encoder.num_hops, *mask.shape, mask.shape[1] + encoder.null_memory)
        assert_close(attention.sum(-1), mask.double().expand(encoder.num_hops, *mask.shape))


def test_attention_is_that_of_the_last_hop(encoders, inputs, mask):
    for encoder in encoders:
        if encoder.num_hops:
            assert_close(encoder.attention(inputs, mask), encoder.read(inputs, mask).attention[-1])
        else:
            with pytest.raises(ConfigurationError, match="found num_hops 0, expected one hop at least"):
                encoder.attention(inputs, mask)


def test_each_slot_has_a_position_or_is_the_null_memory(encoder, inputs, mask):
    positions = encoder.slot_positions(mask.shape[1])
    assert positions == ([None] if encoder.null_memory else []) + [0, 1, 2, 3, 4, 5, 6]
    assert encoder.read(inputs, mask).attention.shape[-1] == len(positions)
    if encoder.causal and encoder.num_hops:
        # The first word sees itself and the null memory.
        seen_first = encoder.attention(inputs, mask)[0, 0].nonzero().flatten().tolist()
        assert {positions[slot] for slot in seen_first} == {0, *[None] * encoder.null_memory}


@pytest.mark.parametrize("current_input", ["memory", "sentence"])
def test_gradients_of_both_ways_agree(variant, inputs, mask, current_input):
    for encoder in build_all(variant):
        encoder = build(**VARIANTS[variant], window=encoder.window, current_input=current_input)
        gradients = []
        for way in (encoder, lambda *args, encoder=encoder: encoder.read(*args).output):
            inputs.requires_grad_().grad = None
            encoder.zero_grad()
            way(inputs, mask, SENTENCES).square().sum().backward()
            gradients.append([inputs.grad, *(parameter.grad for parameter in encoder.parameters())])
        for fast, explicit in zip(*gradients, strict=True):
            assert_close(fast, explicit)
        assert (inputs.grad[~mask] == 0).all()


def test_current_input_may_come_from_the_sentence(inputs, mask):
    encoder = build(current_input="sentence")
    read = encoder.read(inputs, mask, SENTENCES)
    current = build(current_input="sentence", num_hops=0)
    # Without a hop, the parameters of the current input are drawn where those of the output memory were.
    current.load_state_dict(encoder.state_dict(), strict=False)
    current = current(inputs, mask, SENTENCES)
    (m,) = RecurrentMemory.fill([encoder.input_memory], inputs, mask)
    assert_close(read.attention[0, 0, 6], (m[0] @ current[0, 6]).softmax(0))


def test_names_the_context_that_it_reads(inputs, mask):
    assert build().context == ()
    encoder = build(current_input="sentence")
    assert encoder.context == ("sentences",)
    for way in (encoder, encoder.read, encoder.attention):
        with pytest.raises(ConfigurationError, match="found documents without sentences, .*current_input is sentence"):
            way(inputs, mask)


def test_the_projection_of_the_current_input_is_drawn_last():
    plain, with_projection = build().state_dict(), build(current_input="sentence").state_dict()
    assert with_projection.keys() - plain.keys() == {"current_projection.weight", "current_projection.bias"}
    for name, value in plain.items():
        assert_close(with_projection[name], value)


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
    params = VARIANTS[variant]
    windows = [None, MemoryWindow(100, "first"), *[MemoryWindow(100)] * params.get("causal", True)]
    inputs, mask = torch.randn(1, 3000, INPUT_SIZE), torch.ones(1, 3000, dtype=torch.bool)
    saved = []
    with torch.autograd.graph.saved_tensors_hooks(lambda x: saved.append(x.numel()) or x, lambda x: x):
        for window in windows:
            MemoryEncoder(INPUT_SIZE, HIDDEN_SIZE, window=window, **params)(inputs, mask)
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


def test_a_memory_of_the_recent_words_must_be_causal():
    with pytest.raises(ConfigurationError, match="expected causal"):
        MemoryEncoder(INPUT_SIZE, HIDDEN_SIZE, causal=False, window=MemoryWindow(2))


@pytest.mark.parametrize("params", [{"size": 0}, {"size": -3}, {"size": 3, "kept": "last"}])
def test_bad_windows(params):
    with pytest.raises(ConfigurationError, match="found the (window size|value of kept) .*, expected"):
        MemoryWindow.from_params(Params(params))


@pytest.mark.parametrize(
    "params, message",
    [
        ({"num_hops": -1}, "found the num_hops -1, expected at least 0"),
        ({"current_input": "none"}, "found the current_input 'none', expected 'memory' or 'sentence'"),
    ],
)
def test_bad_parameters(params, message):
    with pytest.raises(ConfigurationError, match=message):
        MemoryEncoder(INPUT_SIZE, HIDDEN_SIZE, **params)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_agrees_with_cpu(encoders, inputs, mask):
    for encoder in [*encoders, build(current_input="sentence")]:
        results = []
        for device in ("cpu", "cuda"):
            on_device = inputs.to(device, copy=True).requires_grad_()
            encoder.to(device).zero_grad()
            outputs = encoder(on_device, mask.to(device), SENTENCES.to(device))
            outputs.square().sum().backward()
            results.append([outputs, on_device.grad, *(parameter.grad for parameter in encoder.parameters())])
        for on_cpu, on_gpu in zip(*results, strict=True):
            assert_close(on_gpu.cpu(), on_cpu.cpu())
