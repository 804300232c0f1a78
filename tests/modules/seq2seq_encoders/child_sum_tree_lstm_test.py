import pytest
import torch
from allennlp.common import Params
from allennlp.modules import Seq2SeqEncoder
from torch.testing import assert_close

from nerzoo.modules.seq2seq_encoders.bidirectional import BiLstm
from nerzoo.modules.seq2seq_encoders.tree_lstm import ChildSumTreeLstm, TreeEncoder

INPUT_SIZE, HIDDEN_SIZE = 5, 3
TREES = {
    "projective": [2, 5, 2, 3, 0, 7, 5],
    "non_projective": [3, 5, 0, 1, 3, 2],
    "several_roots": [0, 1, 0, 3, 3, 0, 8, 6],
    "roots_only": [0, 0, 0],
    "chain_up": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    "chain_down": [2, 3, 4, 5, 0],
    "star": [4, 4, 4, 0, 4, 4, 4],
    "one_token": [0],
}


@pytest.fixture
def encoder() -> ChildSumTreeLstm:
    torch.manual_seed(3)
    encoder = ChildSumTreeLstm(INPUT_SIZE, HIDDEN_SIZE).double()
    torch.nn.init.normal_(encoder.input_linearity.bias)
    return encoder


def batch(trees, device="cpu"):
    """Random inputs, mask and heads of the trees; an empty list makes a row of padding."""
    torch.manual_seed(7)
    mask = torch.zeros(len(trees), max(map(len, trees)) + 2, dtype=torch.bool)
    heads = torch.full(mask.shape, -1)
    for row, tree in enumerate(trees):
        mask[row, : len(tree)] = True
        heads[row, : len(tree)] = torch.tensor(tree, dtype=torch.long)
    inputs = torch.randn(*mask.shape, INPUT_SIZE, dtype=torch.float64)
    return inputs.to(device), mask.to(device), heads.to(device)


def recursion(encoder, inputs, tree) -> torch.Tensor:
    """The states (T, H) of one sentence, word by word as in section 3.2.1 of the paper."""
    w_i, w_o, w_u, w_f = encoder.input_linearity.weight.chunk(4)
    b_i, b_o, b_u, b_f = encoder.input_linearity.bias.chunk(4)
    u_i, u_o, u_u, u_f = encoder.state_linearity.weight.chunk(4)
    states = {}

    def visit(j):
        x = inputs[j]
        children = [k for k, head in enumerate(tree) if head == j + 1]
        for k in children:
            visit(k)
        h_sum = sum((states[k][0] for k in children), torch.zeros_like(b_i))
        i = torch.sigmoid(w_i @ x + u_i @ h_sum + b_i)
        o = torch.sigmoid(w_o @ x + u_o @ h_sum + b_o)
        u = torch.tanh(w_u @ x + u_u @ h_sum + b_u)
        c = i * u
        for k in children:
            h_k, c_k = states[k]
            c = c + torch.sigmoid(w_f @ x + u_f @ h_k + b_f) * c_k
        states[j] = o * torch.tanh(c), c

    for j, head in enumerate(tree):
        if head == 0:
            visit(j)
    return torch.stack([states[j][0] for j in range(len(tree))])


def random_tree(length) -> list:
    """Every word in turn hangs on a random one before it, or is a root; then the words are shuffled."""
    place = torch.randperm(length).tolist()
    tree = [0] * length
    for n in range(1, length):
        head = torch.randint(-1, n, ()).item()
        tree[place[n]] = 0 if head < 0 else place[head] + 1
    return tree


@pytest.mark.parametrize("registry", [Seq2SeqEncoder, TreeEncoder])
def test_is_registered(registry):
    params = {"type": "child_sum_tree_lstm", "input_size": INPUT_SIZE, "hidden_size": HIDDEN_SIZE}
    encoder = registry.from_params(Params(params))
    assert type(encoder) is ChildSumTreeLstm
    assert (encoder.get_input_dim(), encoder.get_output_dim()) == (INPUT_SIZE, HIDDEN_SIZE)
    assert not encoder.is_bidirectional()


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_equals_the_recursion(encoder, tree):
    inputs, mask, heads = batch([tree])
    outputs = encoder(inputs, mask, heads)
    assert outputs.shape == (*mask.shape, HIDDEN_SIZE)
    assert_close(outputs[0, : len(tree)], recursion(encoder, inputs[0], tree))


def test_equals_the_recursion_on_a_batch_with_padding(encoder):
    torch.manual_seed(11)
    trees = [*TREES.values(), [], *(random_tree(length) for length in (13, 2, 17))]
    inputs, mask, heads = batch(trees)
    outputs = encoder(inputs, mask, heads)
    for row, tree in enumerate(trees):
        if tree:
            assert_close(outputs[row, : len(tree)], recursion(encoder, inputs[row], tree))
    assert (outputs[~mask] == 0).all()


def test_padding_has_no_influence(encoder):
    inputs, mask, heads = batch([*TREES.values(), []])
    poisoned = inputs.masked_fill(~mask.unsqueeze(2), float("nan"))
    for padding_head in (-1, 0, 1):
        assert_close(encoder(poisoned, mask, heads.masked_fill(~mask, padding_head)), encoder(inputs, mask, heads))


def test_a_batch_of_padding_alone_is_zero(encoder):
    inputs, mask, heads = batch([[], [], []])
    assert torch.equal(encoder(inputs, mask, heads), inputs.new_zeros(*mask.shape, HIDDEN_SIZE))


def test_a_chain_with_the_root_first_is_a_reversed_lstm(encoder):
    inputs, mask, heads = batch([TREES["chain_up"]])
    inputs, mask, heads = inputs[:, :11], mask[:, :11], heads[:, :11]
    lstm = torch.nn.LSTM(INPUT_SIZE, HIDDEN_SIZE, batch_first=True).double()

    def in_order_of_lstm(gates):
        i, o, u, f = gates.detach().chunk(4)
        return torch.cat([i, f, u, o])

    lstm.weight_ih_l0.data = in_order_of_lstm(encoder.input_linearity.weight)
    lstm.weight_hh_l0.data = in_order_of_lstm(encoder.state_linearity.weight)
    lstm.bias_ih_l0.data = in_order_of_lstm(encoder.input_linearity.bias)
    torch.nn.init.zeros_(lstm.bias_hh_l0)
    assert_close(encoder(inputs, mask, heads), lstm(inputs.flip(1))[0].flip(1))


def test_gradients(encoder):
    inputs, mask, heads = batch([TREES["non_projective"], TREES["one_token"], [], TREES["star"]])
    tensors = [inputs.requires_grad_(), *encoder.parameters()]
    # It perturbs its inputs in place, hence sees the parameters too.
    assert torch.autograd.gradcheck(lambda *_: encoder(inputs, mask, heads), tensors)


def test_padding_has_no_gradient(encoder):
    inputs, mask, heads = batch([*TREES.values(), []])
    encoder(inputs.requires_grad_(), mask, heads).square().sum().backward()
    assert (inputs.grad[~mask] == 0).all()
    assert (inputs.grad[mask] != 0).all()


@pytest.mark.parametrize("copies", [1, 3, 11])
@pytest.mark.parametrize("tree, height", [("star", 2), ("chain_up", 11), ("roots_only", 1)])
def test_takes_a_step_for_each_level_of_the_tallest_tree(encoder, tree, height, copies):
    steps = []
    encoder.state_linearity.register_forward_hook(lambda *_: steps.append(1))
    encoder(*batch([TREES["roots_only"], *[TREES[tree]] * copies]))
    assert len(steps) == height - 1  # The roots send their states to no one.


@pytest.mark.parametrize("cycle", [[2, 1], [0, 3, 4, 2, 1], [2, 3, 1], [0, 2]])
def test_cycles_are_errors(encoder, cycle):
    with pytest.raises(ValueError, match="cycle"):
        encoder(*batch([TREES["chain_up"], cycle, TREES["star"]]))


def test_root_state_is_the_mean_over_the_roots(encoder):
    trees = [*TREES.values(), []]
    inputs, mask, heads = batch(trees)
    outputs = encoder(inputs, mask, heads)
    states = encoder.root_state(outputs, mask, heads)
    assert states.shape == (len(trees), HIDDEN_SIZE)
    for row, tree in enumerate(trees):
        roots = [outputs[row, j] for j, head in enumerate(tree) if head == 0]
        assert_close(states[row], sum(roots) / len(roots) if roots else torch.zeros_like(states[row]))


def test_starts_as_the_layers_of_a_bilstm_do():
    torch.manual_seed(13)
    tree, sequence = ChildSumTreeLstm(INPUT_SIZE, 49), BiLstm(INPUT_SIZE, 49)
    for parameter in (*tree.parameters(), *sequence.parameters()):
        assert 0.9 / 7 < parameter.abs().max() <= 1 / 7
        assert_close(parameter.std(), torch.tensor(1 / 7 / 3**0.5), rtol=0.15, atol=0.0)


def test_autocast(encoder):
    encoder.float()
    inputs, mask, heads = batch([*TREES.values(), []])
    inputs = inputs.float().requires_grad_()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        outputs = encoder(inputs, mask, heads)
        outputs.float().square().sum().backward()
    assert_close(outputs.float(), encoder(inputs, mask, heads), rtol=0.0, atol=0.02)
    assert all(tensor.grad.isfinite().all() for tensor in (inputs, *encoder.parameters()))


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_agrees_with_cpu(encoder):
    results = []
    for device in ("cpu", "cuda"):
        inputs, mask, heads = batch([*TREES.values(), []], device)
        inputs.requires_grad_()
        encoder.to(device).zero_grad()
        outputs = encoder(inputs, mask, heads)
        outputs.square().sum().backward()
        results.append([outputs, inputs.grad, *(parameter.grad for parameter in encoder.parameters())])
    for on_cpu, on_gpu in zip(*results, strict=True):
        assert_close(on_gpu.cpu(), on_cpu.cpu())
