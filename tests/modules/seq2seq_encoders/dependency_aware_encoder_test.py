import itertools

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.modules import Seq2SeqEncoder
from torch.testing import assert_close

from nerzoo.modules.seq2seq_encoders.dependency_aware import DependencyAwareEncoder
from nerzoo.modules.seq2seq_encoders.tree_lstm import TreeEncoder

SIZE = 6
TREES = [[2, 5, 2, 3, 0, 7, 5], [0], [], [3, 0, 0, 2, 3], [2, 0]]
LENGTHS = [len(tree) for tree in TREES]
# Layers of the semantic and of the syntactic stack.
DEPTHS = [(1, 0), (0, 1), (2, 0), (0, 3), (1, 1), (2, 3)]


def params(semantic=2, syntactic=2, relative=True, global_=True, **extras) -> dict:
    """The parameters of an encoder that keeps all sizes equal, as residual connections need them."""
    size = SIZE * ((semantic > 0) + (syntactic > 0))
    lstm = {"type": "lstm", "input_size": SIZE, "hidden_size": SIZE // 2, "bidirectional": True}
    tree_lstm = {"type": "child_sum_tree_lstm", "input_size": SIZE, "hidden_size": SIZE}
    # A copy for each layer: from_params empties what it reads.
    stacks = {"semantic": [{**lstm} for _ in range(semantic)], "syntactic": [{**tree_lstm} for _ in range(syntactic)]}
    result = {**stacks, **extras}
    if relative:
        result["relative_attention"] = {"type": "relative_attention", "input_size": size}
    if global_:
        sizes = {"input_size": size, "query_size": size, "attention_size": 5}
        result["global_attention"] = {"type": "global_attention", **sizes}
    return result


def build(params: dict) -> DependencyAwareEncoder:
    torch.manual_seed(3)
    return Seq2SeqEncoder.from_params(Params({"type": "dependency_aware", **params})).double().eval()


@pytest.fixture
def batch():
    """Inputs, mask and heads."""
    torch.manual_seed(5)
    mask = torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS).unsqueeze(1)
    heads = torch.full(mask.shape, -1)
    heads[mask] = torch.tensor(sum(TREES, []))
    return torch.randn(*mask.shape, SIZE, dtype=torch.float64), mask, heads


COMPONENTS = ["semantic", "syntactic", "relative_attention", "global_attention"]


def one_sentence(encoder, inputs, heads, residual, norm=None, query="last", query_from="outputs"):
    """Figure 2 of the paper for one sentence of two stacks and two attentions, shape (1, T, D)."""
    residual, norm = (COMPONENTS if x is True else x or [] for x in (residual, residual if norm is None else norm))
    mask = torch.ones(1, inputs.shape[1], dtype=torch.bool)

    states = {}

    def apply(name, sublayer, x, *context):
        outputs = states[name] = sublayer.component(x, mask, *context)
        if name in residual:
            outputs = x + outputs
        return sublayer.norm(outputs) if name in norm else outputs

    h = t = inputs
    for layer in encoder.semantic:
        h = apply("semantic", layer, h)
    for layer in encoder.syntactic:
        t = apply("syntactic", layer, t, heads)
    backward_end = 0 if query == "final" else -1
    h_n, h_root = (states["semantic"], states["syntactic"]) if query_from == "states" else (h, t)
    last_forward, last_backward = h_n[:, -1, : SIZE // 2], h_n[:, backward_end, SIZE // 2 :]
    roots = [h_root[:, j] for j, head in enumerate(heads[0]) if head == 0]
    q = torch.cat([last_forward, last_backward, sum(roots) / len(roots)], 1)
    m = apply("relative_attention", encoder.relative_attention, torch.cat([h, t], 2))
    return apply("global_attention", encoder.global_attention, m, q)


def test_is_registered():
    encoder = build(params())
    assert type(encoder) is DependencyAwareEncoder
    assert isinstance(encoder, TreeEncoder)
    assert (encoder.get_input_dim(), encoder.get_output_dim()) == (SIZE, 2 * SIZE)


@pytest.mark.parametrize(
    "options",
    [
        {"residual": True},
        {"residual": False},
        {"residual": True, "query": "final"},
        {"residual": True, "query_from": "states"},
        {"residual": COMPONENTS[:3], "query": "final", "query_from": "states"},
        {"residual": COMPONENTS[:3]},
        {"residual": ["syntactic", "global_attention"]},
        {"residual": True, "norm": COMPONENTS[:3]},
        {"residual": [], "norm": ["semantic", "relative_attention"]},
        {"residual": True, "norm": False, "query": "final"},
    ],
    ids=str,
)
def test_equals_its_parts(batch, options):
    encoder = build(params(**options))
    for name, parameter in encoder.named_parameters():
        if "norm" in name:
            torch.nn.init.normal_(parameter)
    inputs, mask, heads = batch
    outputs = encoder(inputs, mask, heads)
    for row, n in enumerate(LENGTHS):
        if n:
            expected = one_sentence(encoder, inputs[row : row + 1, :n], heads[row : row + 1, :n], **options)
            assert_close(outputs[row : row + 1, :n], expected)
    assert (outputs[~mask] == 0).all()


@pytest.mark.parametrize("residual", [True, False])
@pytest.mark.parametrize("relative, global_", list(itertools.product([True, False], repeat=2)))
@pytest.mark.parametrize("semantic, syntactic", DEPTHS)
def test_every_combination(batch, semantic, syntactic, relative, global_, residual):
    encoder = build(params(semantic, syntactic, relative, global_, residual=residual))
    inputs, mask, heads = batch
    outputs = encoder(inputs, mask, heads)
    assert outputs.shape == (*mask.shape, encoder.get_output_dim())
    assert encoder.get_output_dim() == SIZE * ((semantic > 0) + (syntactic > 0))
    assert (outputs[~mask] == 0).all()
    for row, n in enumerate(LENGTHS):
        if n:
            row = slice(row, row + 1)
            assert_close(encoder(inputs[row, :n], mask[row, :n], heads[row, :n]), outputs[row, :n])
    weights = {name for name, there in (("relative_attention", relative), ("global_attention", global_)) if there}
    assert encoder.attention(inputs, mask, heads).keys() == weights


@pytest.mark.parametrize("relative, global_", [(True, True), (False, False)])
def test_without_a_syntactic_stack_no_trees_are_read(batch, relative, global_):
    encoder = build(params(2, 0, relative, global_))
    inputs, mask, heads = batch
    assert build(params()).context == ("heads", "levels")
    assert encoder.context == ()
    assert_close(encoder(inputs, mask), encoder(inputs, mask, heads))
    assert_close(encoder.attention(inputs, mask), encoder.attention(inputs, mask, heads))


def test_outside_the_norm_the_global_attention_has_an_effect(batch):
    """Under equation 4 its weights all but cancel: what they are makes next to no difference."""
    inputs, mask, heads = batch

    def effect(**options):
        encoder = build(params(**options))
        before = encoder(inputs, mask, heads)
        torch.nn.init.normal_(encoder.global_attention.component.vector.weight, std=5.0)
        return (encoder(inputs, mask, heads) - before)[0].abs().max().item()

    assert effect() < 1e-4
    for outside in ({"residual": COMPONENTS[:3]}, {"norm": COMPONENTS[:3]}):
        assert effect(**outside) > 1e-2


@pytest.mark.parametrize(
    "options, learns",
    [
        ({}, False),
        ({"dropout": 0.3}, True),
        ({"norm": COMPONENTS[:3]}, True),
        ({"residual": COMPONENTS[:3]}, True),
    ],
    ids=str,
)
def test_without_dropout_equation_4_gives_the_global_attention_no_gradient(batch, options, learns):
    """The gradient is compared with that of the relative attention, which stands in the same residual connection."""
    encoder = build(params(**options)).train()
    torch.manual_seed(7)
    outputs = encoder(*batch)
    (outputs * torch.randn_like(outputs)).sum().backward()
    norms = {
        name: torch.stack([parameter.grad.norm() for parameter in component.parameters()]).norm()
        for name, component in (
            ("relative", encoder.relative_attention.component),
            ("global", encoder.global_attention.component),
        )
    }
    ratio = norms["global"] / norms["relative"]
    assert ratio > 1e-2 if learns else ratio < 1e-4
    has_effect = "norm" in options or "residual" in options
    assert encoder.without_effect == (() if has_effect else ("global_attention",))


def test_sizes_may_differ_without_residual(batch):
    semantic = [{"type": "lstm", "input_size": SIZE, "hidden_size": 5}]
    sizes = itertools.pairwise([SIZE, 11, 7])
    syntactic = [{"type": "child_sum_tree_lstm", "input_size": i, "hidden_size": o} for i, o in sizes]
    attention = {"type": "global_attention", "input_size": 12, "query_size": 12, "attention_size": 3}
    encoder = build(
        {"semantic": semantic, "syntactic": syntactic, "global_attention": attention, "residual": False},
    )
    inputs, mask, heads = batch
    assert encoder.get_output_dim() == 5 + 7
    assert encoder(inputs, mask, heads).shape == (*mask.shape, 12)


@pytest.mark.parametrize("residual", [True, False])
def test_attention_is_what_forward_uses(batch, residual):
    encoder = build(params(residual=residual, dropout=0.5))
    used = {}
    for name in ("relative_attention", "global_attention"):
        component = getattr(encoder, name).component
        weigh = component.attention

        def spy(*args, name=name, weigh=weigh):
            used[name] = weigh(*args)
            return used[name]

        component.attention = spy
    encoder(*batch)
    of_forward = dict(used)
    weights = encoder.attention(*batch)
    assert weights.keys() == of_forward.keys()
    for name, expected in of_forward.items():
        assert torch.equal(weights[name], expected)


@pytest.mark.parametrize("residual", [True, False])
def test_dropout_is_the_same_at_every_word_of_every_component(batch, residual):
    _, mask, heads = batch
    encoder = build(params(residual=residual, dropout=0.5)).train()
    seen = []
    sublayers = [*encoder.semantic, *encoder.syntactic, encoder.relative_attention, encoder.global_attention]
    for sublayer in sublayers:
        sublayer.component.register_forward_pre_hook(lambda _, args: seen.append(args[0]))
    encoder(torch.ones(*mask.shape, SIZE, dtype=torch.float64), mask, heads)
    assert len(seen) == len(sublayers) == 6
    for inputs in seen:
        for row, n in enumerate(LENGTHS):
            dropped = inputs[row, :n] == 0
            assert torch.equal(dropped, dropped[:1].expand_as(dropped))
        dropped = inputs[mask] == 0
        assert dropped.any() and not dropped.all()


@pytest.mark.parametrize(
    "wrong, message",
    [
        ({"semantic": [], "syntactic": []}, "a semantic or a syntactic layer"),
        ({"semantic": [{"type": "lstm", "input_size": 7, "hidden_size": 7}]}, r"syntactic\[0\].* 6 and 7"),
        ({"semantic": [{"type": "lstm", "input_size": 6, "hidden_size": 7}]}, r"semantic\[0\] with residual.* 6 and 7"),
        ({"semantic": [{"type": "pass_through", "input_dim": size} for size in (6, 7)]}, r"semantic\[1\].* 7 and 6"),
        (
            {"syntactic": [{"type": "child_sum_tree_lstm", "input_size": 5, "hidden_size": 6}]},
            r"syntactic\[0\].* 5 and 6",
        ),
        ({"relative_attention": {"type": "relative_attention", "input_size": 6}}, "relative_attention.* 6 and 12"),
        (
            {"global_attention": {"type": "global_attention", "input_size": 6, "query_size": 12, "attention_size": 5}},
            "input size of global_attention.* 6 and 12",
        ),
        (
            {"global_attention": {"type": "global_attention", "input_size": 12, "query_size": 6, "attention_size": 5}},
            "query size of global_attention.* 6 and 12",
        ),
        (
            {"relative_attention": {"type": "pass_through", "input_dim": 12}},
            "relative_attention must be a RelativeAttention, found a PassThroughEncoder",
        ),
        (
            {"global_attention": {"type": "relative_attention", "input_size": 12}},
            "global_attention must be a GlobalAttention, found a RelativeAttention",
        ),
        ({"residual": ["attention"]}, "found the name of a component in residual 'attention', expected 'semantic', "),
        ({"norm": ["lstm"]}, "found the name of a component in norm 'lstm', expected 'semantic', "),
        ({"query": "root"}, "found the query 'root', expected 'last' or 'final'"),
        ({"query_from": "layer"}, "found the query_from 'layer', expected 'outputs' or 'states'"),
    ],
)
def test_what_does_not_fit_is_an_error_that_names_it(wrong, message):
    with pytest.raises(ConfigurationError, match=message):
        build({**params(), **wrong})


@pytest.mark.parametrize("semantic, syntactic", DEPTHS)
def test_autocast(batch, semantic, syntactic):
    inputs, mask, heads = batch
    encoder = build(params(semantic, syntactic)).float().train()
    inputs = inputs.float().requires_grad_()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        outputs = encoder(inputs, mask, heads)
        outputs.float().square().sum().backward()
    assert_close(outputs.float(), encoder(inputs, mask, heads), rtol=0.0, atol=0.1)
    assert all(tensor.grad.isfinite().all() for tensor in (inputs, *encoder.parameters()))


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_agrees_with_cpu(batch):
    encoder = build(params()).train()
    results = []
    for device in ("cpu", "cuda"):
        inputs, mask, heads = (tensor.to(device, copy=True) for tensor in batch)
        encoder.to(device).zero_grad()
        outputs = encoder(inputs.requires_grad_(), mask, heads)
        outputs.square().sum().backward()
        results.append([outputs, inputs.grad, *(parameter.grad for parameter in encoder.parameters())])
    for on_cpu, on_gpu in zip(*results, strict=True):
        assert_close(on_gpu.cpu(), on_cpu.cpu())
