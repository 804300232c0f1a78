import math
from itertools import combinations_with_replacement

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from torch.autograd import gradcheck, gradgradcheck
from torch.nn.functional import one_hot
from torch.testing import assert_close

from nerzoo.nn.fofe import fofe_encode, fofe_spans, powers, reading_orders

LENGTHS = [13, 1, 0, 4, 7]
SIZE = 3
ALPHAS = [1e-3, 0.5, 0.7, 0.9999, 1.0]


@pytest.fixture
def inputs() -> torch.Tensor:
    torch.manual_seed(5)
    return torch.randn(len(LENGTHS), max(LENGTHS), SIZE, dtype=torch.float64)


@pytest.fixture
def mask() -> torch.Tensor:
    return torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS).unsqueeze(1)


def recursion(sequence, alpha, reverse=False):
    """Equation 3.1 for a sequence (T, D)."""
    code, codes = torch.zeros_like(sequence[0]), []
    for element in reversed(sequence) if reverse else sequence:
        code = alpha * code + element
        codes.append(code)
    return torch.stack(codes[::-1] if reverse else codes)


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("reverse", [False, True])
def test_equals_the_recursion(alpha, reverse, inputs, mask):
    codes = fofe_encode(inputs, alpha, mask, reverse)
    assert codes.shape == inputs.shape
    for row, length in enumerate(LENGTHS):
        if length:
            assert_close(codes[row, :length], recursion(inputs[row, :length], alpha, reverse))


@pytest.mark.parametrize("length", range(1, 35))
def test_equals_the_recursion_at_every_length(length, inputs):
    sequence = inputs.flatten(0, 1)[:length]
    for reverse in (False, True):
        assert_close(fofe_encode(sequence, 0.7, reverse=reverse), recursion(sequence, 0.7, reverse))


def test_leading_dimensions(inputs, mask):
    codes = fofe_encode(inputs, 0.7, mask)
    assert torch.equal(fofe_encode(inputs.expand(2, 3, *inputs.shape), 0.7, mask), codes.expand(2, 3, *codes.shape))
    assert torch.equal(fofe_encode(inputs[0], 0.7), codes[0])
    assert fofe_encode(inputs[:, :0], 0.7).shape == (len(LENGTHS), 0, SIZE)


@pytest.mark.parametrize("reverse", [False, True])
def test_padding_is_zero_and_has_no_influence(reverse, inputs, mask):
    inputs.requires_grad_()
    codes = fofe_encode(inputs, 0.7, mask, reverse)
    codes.square().sum().backward()
    assert (codes[~mask] == 0).all() and (inputs.grad[~mask] == 0).all()
    assert torch.equal(fofe_encode(inputs.masked_fill(~mask.unsqueeze(2), math.nan), 0.7, mask, reverse), codes)


def test_table_3_2():
    a = 0.3
    expected = [
        [0, 0, 0, 0, 0, 0, 1],
        [0, 0, 0, 0, 1, 0, a],
        [0, 0, 0, 0, a, 1, a**2],
        [1, 0, 0, 0, a**2, a, a**3],
        [a, 0, 0, 0, a**3, 1 + a**2, a**4],
        [a**2, 0, 0, 0, 1 + a**4, a + a**3, a**5],
    ]
    words = one_hot(torch.tensor([6, 4, 5, 0, 5, 4]), 7).double()
    assert_close(fofe_encode(words, a), torch.tensor(expected, dtype=torch.float64))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_no_two_sequences_have_one_code(dtype):
    # Theorem 2. The prefixes of all sequences of 8 symbols are all sequences of 1 to 8.
    longest = torch.cartesian_prod(*[torch.arange(3)] * 8)
    codes = fofe_encode(one_hot(longest).to(dtype), 0.5)
    distinct = codes.flatten(0, 1).unique(dim=0)
    assert len(distinct) == sum(3**length for length in range(1, 9))
    # Nor has any the code of the empty sequence.
    assert distinct.any(1).all()


def test_beyond_one_half_two_sequences_may_have_one_code():
    # Theorem 3 has exceptions, such as the root of 1 = alpha + alpha^2.
    sequences = one_hot(torch.tensor([[0, 0, 1], [1, 1, 0]])).double()
    first, second = fofe_encode(sequences, (math.sqrt(5) - 1) / 2)[:, -1]
    assert_close(first, second)


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("reverse", [False, True])
def test_long_sequences_are_within_the_error_bound(alpha, reverse):
    torch.manual_seed(7)
    # Values of very different sizes, so that powers of alpha that under- or overflow would show.
    sequence = torch.randn(10_000, 2) * torch.logspace(-6, 6, 10_000).unsqueeze(1)
    codes = fofe_encode(sequence, alpha, reverse=reverse)
    assert codes.dtype == torch.float32
    sizes = recursion(sequence.double().abs(), alpha, reverse)
    errors = (codes - recursion(sequence.double(), alpha, reverse)).abs()
    assert (errors <= 6 * math.log2(10_000) * 2**-24 * sizes).all()


def test_gradients(inputs, mask):
    inputs.requires_grad_()
    for reverse in (False, True):
        assert gradcheck(lambda x: fofe_encode(x, 0.7, mask, reverse), inputs)  # noqa: B023
        assert gradgradcheck(lambda x: fofe_encode(x, 0.7, mask, reverse), inputs)  # noqa: B023


def test_half_precision(inputs, mask):
    halves = inputs.bfloat16()
    codes = fofe_encode(halves, 0.7, mask)
    assert codes.dtype == torch.bfloat16
    assert torch.equal(codes, fofe_encode(halves.float(), 0.7, mask).bfloat16())
    with torch.autocast("cpu", dtype=torch.bfloat16):
        autocast = fofe_encode(halves.float(), 0.7, mask)
    assert torch.equal(autocast, fofe_encode(halves.float(), 0.7, mask))


def test_counts_have_codes_too():
    assert_close(fofe_encode(torch.tensor([[1], [0], [1]]), 0.5), torch.tensor([[1.0], [0.5], [1.25]]))


def all_spans(length):
    return list(combinations_with_replacement(range(length), 2))


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("reverse", [False, True])
def test_spans_equal_the_recursion(alpha, reverse, inputs, mask):
    of_rows = [all_spans(length) for length in LENGTHS]
    most = max(map(len, of_rows))
    spans = torch.tensor([row + [(-1, -1)] * (most - len(row)) for row in of_rows])
    spans = fofe_spans(fofe_encode(inputs, alpha, mask, reverse), spans, alpha, reverse)
    assert spans.shape == (len(LENGTHS), most, SIZE)
    for row, row_spans in enumerate(of_rows):
        for (start, end), span in zip(row_spans, spans[row], strict=False):
            expected = recursion(inputs[row, start : end + 1], alpha, reverse)[0 if reverse else -1]
            assert_close(span, expected)
        assert (spans[row, len(row_spans) :] == 0).all()


@pytest.mark.parametrize("alpha", [0.5, 0.9, 0.9999, 1.0])
@pytest.mark.parametrize("reverse", [False, True])
def test_spans_are_exact_to_float32_where_the_subtraction_cancels(alpha, reverse):
    torch.manual_seed(7)
    spans = torch.tensor(all_spans(10)) + (0 if reverse else 9_990)
    sequence = 1 + torch.rand(10_000, 1)
    rest = slice(10, None) if reverse else slice(None, -10)
    # What is not in the spans has a code 10^6 times as large as each element of theirs.
    sequence[rest] *= 2e6 / recursion(sequence[rest].double(), alpha, reverse)[0 if reverse else -1].float()
    exact = torch.stack(
        [recursion(sequence[i : j + 1].double(), alpha, reverse)[0 if reverse else -1] for i, j in spans.tolist()]
    )

    def relative_errors(codes):
        found = fofe_spans(codes.unsqueeze(0), spans.unsqueeze(0), alpha, reverse)[0]
        return (found - exact).abs() / exact

    codes = fofe_encode(sequence.double(), alpha, reverse=reverse)
    if alpha == 1:
        assert (codes[spans[:, 0 if reverse else 1]] / exact).max() > 1e6
    assert relative_errors(codes).max() < 2**-24
    assert relative_errors(codes.float()).max() > 2**-10


def test_gradients_of_spans(inputs):
    inputs.requires_grad_()
    spans = torch.tensor([all_spans(4)]).expand(len(LENGTHS), -1, -1)
    for reverse in (False, True):
        assert gradcheck(lambda codes: fofe_spans(codes, spans, 0.7, reverse), inputs)  # noqa: B023


def test_no_spans(inputs):
    spans = torch.zeros(len(LENGTHS), 0, 2, dtype=torch.long)
    assert fofe_spans(inputs, spans, 0.7).shape == (len(LENGTHS), 0, SIZE)


def test_powers_are_those_of_alpha_before_it_is_rounded():
    alpha = 1 - 1e-7
    assert_close(powers(alpha, 10_001, torch.zeros(0))[-1].item(), alpha**10_000, rtol=1e-7, atol=0)


@pytest.mark.parametrize("alpha", [0, -0.5, 1.1, math.nan])
def test_alpha_out_of_range_is_an_error(alpha, inputs):
    for call in (
        lambda: fofe_encode(inputs, alpha),
        lambda: fofe_spans(inputs, torch.zeros(len(LENGTHS), 1, 2, dtype=torch.long), alpha),
    ):
        with pytest.raises(ConfigurationError, match=rf"found alpha = {alpha}, expected .* in \(0, 1\]"):
            call()


def test_unknown_direction_is_an_error():
    with pytest.raises(ConfigurationError, match="the direction 'left', expected 'forward', 'backward' or 'both'"):
        reading_orders("left")


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_agrees_with_cpu(inputs, mask):
    spans = torch.tensor([all_spans(4)]).expand(len(LENGTHS), -1, -1)
    for reverse in (False, True):
        results = []
        for device in ("cpu", "cuda"):
            on_device = inputs.to(device, copy=True).requires_grad_()
            codes = fofe_encode(on_device, 0.7, mask.to(device), reverse)
            span_codes = fofe_spans(codes, spans.to(device), 0.7, reverse)
            span_codes.square().sum().backward()
            results.append([codes, span_codes, on_device.grad])
        for on_cpu, on_gpu in zip(*results, strict=True):
            assert_close(on_gpu.cpu(), on_cpu)
