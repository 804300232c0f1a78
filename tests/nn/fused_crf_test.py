import itertools
import math

import pytest
import torch
from allennlp.modules.conditional_random_field.conditional_random_field import allowed_transitions
from helpers.forked import LIBRARIES, run_forked
from torch.testing import assert_close

from nerzoo.modules.tag_distributions import ConditionalRandomField
from nerzoo.nn import fused_crf, linear_chain

# Where there is no GPU, the kernels run in Triton's interpreter; see tests/conftest.py.
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
LENGTHS = [5, 1, 0, 3]
BIO = allowed_transitions("BIO", {0: "B-X", 1: "I-X", 2: "O"})


def batch(num_tags, dtype, lengths=LENGTHS, scale=1.0):
    """Logits, transitions, start, end and lengths."""
    torch.manual_seed(num_tags)
    shapes = [(len(lengths), max(lengths), num_tags), (num_tags, num_tags), (num_tags,), (num_tags,)]
    scores = [(scale * torch.randn(shape, dtype=dtype)).to(DEVICE) for shape in shapes]
    return *scores, torch.tensor(lengths, device=DEVICE)


def paths(logits, transitions, start, end, length):
    """All tag sequences of a sentence, and their scores."""
    for path in itertools.product(range(len(start)), repeat=length):
        score = start[path[0]] + end[path[-1]] + sum(logits[t, tag] for t, tag in enumerate(path))
        yield path, (score + sum(transitions[pair] for pair in itertools.pairwise(path))).item()


@pytest.mark.parametrize("num_tags", [1, 2, 3])
def test_enumeration(num_tags):
    scores = batch(num_tags, torch.float64)
    log_partition, alphas = fused_crf.log_partition(*scores)
    marginals, pairs = fused_crf.marginals(*scores[:2], *scores[3:], alphas)
    best, best_scores = fused_crf.viterbi(*scores)
    for row, length in enumerate(LENGTHS):
        expected, expected_pairs = torch.zeros_like(marginals[row]), torch.zeros_like(pairs[row])
        if length == 0:
            assert log_partition[row] == best_scores[row] == 0
        else:
            scored = dict(paths(scores[0][row], *scores[1:4], length))
            total = sum(map(math.exp, scored.values()))
            assert log_partition[row].item() == pytest.approx(math.log(total))
            assert scored[tuple(best[row, :length].tolist())] == pytest.approx(max(scored.values()))
            assert best_scores[row].item() == pytest.approx(max(scored.values()))
            for path, score in scored.items():
                for t, tag in enumerate(path):
                    expected[t, tag] += math.exp(score) / total
                for pair in itertools.pairwise(path):
                    expected_pairs[pair] += math.exp(score) / total
        assert_close(marginals[row], expected)
        assert_close(pairs[row], expected_pairs)
        assert not best[row, length:].any()


def test_gradients():
    logits, *scores, lengths = batch(3, torch.float64, [3, 0, 1])
    inputs = [tensor.requires_grad_() for tensor in (logits, *scores)]
    assert torch.autograd.gradcheck(lambda *scores: fused_crf.log_partition(*scores, lengths)[0], inputs)


@pytest.mark.parametrize(
    "num_tags, options, scale",
    [
        (3, {"constraints": BIO}, 1.0),
        (3, {"constraints": BIO, "constrain_partition": True}, 30.0),
        (3, {"constraints": BIO, "include_start_end_transitions": False}, 1.0),
        (17, {}, 1.0),
        (33, {}, 1000.0),
        (128, {}, 1.0),
    ],
)
def test_the_reference_agrees(num_tags, options, scale, monkeypatch):
    """With what `ConditionalRandomField` computes without the kernels, in double precision."""
    crf = ConditionalRandomField(num_tags, **options).to(DEVICE)
    logits, *_, lengths = batch(num_tags, torch.float32, scale=scale)
    mask = torch.arange(logits.size(1), device=DEVICE) < lengths.unsqueeze(1)
    tags = torch.randint(num_tags, mask.shape, device=DEVICE)
    results = []
    for is_fused in (True, False):
        monkeypatch.setattr(linear_chain, "can_fuse", lambda _, is_fused=is_fused: is_fused)
        crf.zero_grad()
        inputs = logits.clone().requires_grad_()
        crf.log_likelihood(inputs, tags, mask).sum().backward()
        gradients = [inputs.grad, *(parameter.grad for parameter in crf.parameters())]
        best, best_scores = crf.viterbi(logits, mask)
        decodable = crf.log_partition(logits, mask, decodable=True)
        results.append([*gradients, decodable, crf.marginals(logits, mask), best_scores, best])
    for found, expected in zip(*results, strict=True):
        assert_close(found, expected, rtol=1e-4, atol=1e-5)


def test_no_sequence_is_allowed():
    logits, transitions, start, end, lengths = batch(3, torch.float32)
    best, scores = fused_crf.viterbi(logits, torch.full_like(transitions, float("-inf")), start, end, lengths)
    assert scores.isinf().tolist() == [True, False, False, True]
    assert not best[0].any() and not best[3].any()


def test_half_precision_is_summed_in_single_precision(monkeypatch):
    monkeypatch.setattr(linear_chain, "can_fuse", lambda logits: True)
    crf = ConditionalRandomField(3).to(DEVICE)
    logits, *_, lengths = batch(3, torch.float32)
    logits = logits.bfloat16()
    mask = torch.arange(5, device=DEVICE) < lengths.unsqueeze(1)
    assert crf.log_partition(logits, mask).dtype == crf.viterbi(logits, mask)[1].dtype == torch.float32
    assert_close(crf.log_partition(logits, mask), crf.log_partition(logits.float(), mask))


@pytest.mark.parametrize("operator", [fused_crf.log_partition, fused_crf.viterbi])
def test_what_pytorch_is_told_of_the_operators(operator):
    """Shapes without data, and that nothing is changed in place."""
    logits, *others = batch(3, torch.float32)
    checks = ("test_schema", "test_faketensor", "test_autograd_registration")
    torch.library.opcheck(operator, (logits.requires_grad_(), *others), test_utils=checks)


def test_of_marginals():
    logits, transitions, _, end, lengths = batch(3, torch.float32)
    checks = ("test_schema", "test_faketensor")
    torch.library.opcheck(fused_crf.marginals, (logits, transitions, end, lengths, logits), test_utils=checks)


def test_what_the_kernels_are_for():
    assert not linear_chain.can_fuse(torch.empty(1, 1, 2))
    # Meta tensors stand for those of a GPU that is not there.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(torch.Tensor, "device", torch.device("cuda"))
        assert linear_chain.can_fuse(torch.empty(1, 1, 128))
        assert not linear_chain.can_fuse(torch.empty(1, 1, 129))


COMPILE = """
import os, sys

assert "triton" not in sys.modules
# Read when triton is first imported.
os.environ.pop("TRITON_INTERPRET", None)
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from nerzoo.nn.crf_kernels import kernel

types = {"lengths": "*i64", "origins": "*u8", "best": "*i64", "scores": "*fp64", "log_partition": "*fp64"}
types |= {"max_length": "i32", "num_tags": "i32", "PADDED": "constexpr"}
for name in ("log_partition_kernel", "marginals_kernel", "viterbi_kernel"):
    function = kernel(name)
    signature = {argument: types.get(argument, "*fp32") for argument in function.arg_names}
    source = ASTSource(fn=function, signature=signature, constexprs={"PADDED": 16})
    compiled = triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": 1})
    assert compiled.asm["cubin"], name
"""


def test_the_kernels_compile_for_a_gpu_that_is_not_there():
    """The interpreter lets pass what the compiler does not: a variable of two types, for instance."""
    assert run_forked(LIBRARIES, [COMPILE]) == [""]
