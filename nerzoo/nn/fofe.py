"""
The fixed-size ordinally-forgetting encoding of sequences (FOFE; Xu, 2017, "Fixed-size Ordinally-Forgetting Encoding and
its Applications", section 3.4). The code of the sequence x_1 ... x_t is

    z_t = alpha z_{t-1} + x_t,    z_0 = 0    (equation 3.1)

with a forgetting factor alpha in (0, 1]; at alpha = 1 it is the bag of words. Codes of one-hot vectors tell all
sequences apart if alpha <= 0.5 (theorem 2). Codes are linear: the codes of embedded words are the embeddings of the
codes of words.
"""

from typing import Any, List, Optional, Tuple

import torch
from allennlp.common.checks import ConfigurationError
from torch.nn.functional import pad

from nerzoo.errors import check_choice
from nerzoo.nn.numerics import at_least_float32


def fofe_encode(
    x: torch.Tensor, alpha: float, mask: Optional[torch.BoolTensor] = None, reverse: bool = False
) -> torch.Tensor:
    """
    Computes the codes of all prefixes of each sequence, or of all suffixes, read from the end.

    It is a prefix sum with weights (Brent and Kung, 1982): codes of 2, 4, 8 ... elements are put together, then those
    of all other prefixes from them. That takes 2 log2(T) operations, O(T D) time and memory, and no negative power of
    alpha, which would overflow. The error of a code is at most 6 log2(T) u times the same code of |x|, u the unit
    roundoff.

    `x` has shape (..., T, D), and `mask` (..., T) is true at real elements, which stand at the left; without it all are
    real. Position t of the result (..., T, D) has the code of x_1 ... x_t or, in reverse, of x_T ... x_t, T being the
    last real element; padding is zero. It is in the precision of `x`, but computed in float32 at least. An alpha
    outside (0, 1] raises `ConfigurationError`.
    """
    check_alpha(alpha)
    elements = at_least_float32(x)
    padding = None if mask is None else ~mask.unsqueeze(-1)
    # Padding stands at the right: no prefix of real elements has any in it, every suffix has.
    if padding is not None and reverse:
        elements = elements.masked_fill(padding, 0)
    compute = _codes_in_a_graph if torch.onnx.is_in_onnx_export() else _PrefixCodes.apply
    codes = compute(elements, alpha, reverse)
    if padding is not None and not reverse:
        codes.masked_fill_(padding, 0)
    return codes.to(torch.result_type(x, alpha))


def fofe_spans(codes: torch.Tensor, spans: torch.Tensor, alpha: float, reverse: bool = False) -> torch.Tensor:
    """
    Computes the codes of spans x_i ... x_j from the codes of all prefixes, by one subtraction each:

        z_j - alpha^(j - i + 1) z_{i-1}

    The difference has the rounding error of the codes, however small the span. Therefore, where alpha is near one or
    values differ much in size, take codes in float64, of `x.double()`: the span is exact to float32 precision as long
    as z_j is no more than 10^6 times as large, for up to 10,000 elements.

    `codes` (B, T, D) come from `fofe_encode` with the same alpha; in reverse they are those of suffixes, and the codes
    of spans encode x_j ... x_i. `spans` (B, S, 2) are the first and the last position of each span, both inclusive,
    counted from 0, -1 at padding. The result (B, S, D) is zero at padding. An alpha outside (0, 1] raises
    `ConfigurationError`.
    """
    check_alpha(alpha)
    batch_size, length, _ = codes.shape
    starts, ends = spans.unbind(-1)
    whole, rest = (starts, ends + 1) if reverse else (ends, starts - 1)
    # shape: (B, S)
    weights = powers(alpha, length + 1, codes)[ends - starts + 1]
    # Nothing is before the first element, or after the last.
    weights = weights.masked_fill((rest < 0) | (rest >= length), 0)
    rows = torch.arange(batch_size, device=codes.device).unsqueeze(1)
    # shape: (B, S, D)
    remainders = codes[rows, rest.clamp(0, length - 1)]
    span_codes = torch.addcmul(codes[rows, whole], weights.unsqueeze(-1), remainders, value=-1)
    return span_codes.masked_fill_((starts < 0).unsqueeze(-1), 0)


def powers(alpha: float, count: int, like: torch.Tensor) -> torch.Tensor:
    """Returns alpha^0 ... alpha^(count - 1), shape (count,), on the device and in the precision of `like`."""
    # Alpha itself in float32 would be off by as many roundings as the power is high.
    exponents = torch.arange(count, dtype=torch.float64, device=like.device)
    return (alpha**exponents).to(like.dtype)


def check_alpha(alpha: float) -> None:
    """Raises `ConfigurationError` where alpha is outside (0, 1]."""
    if not 0 < alpha <= 1:
        raise ConfigurationError(f"found alpha = {alpha}, expected a forgetting factor in (0, 1]")


def reading_orders(direction: str) -> List[bool]:
    """Returns for each code of a direction if it is read in reverse. Raises `ConfigurationError` for another one."""
    orders = {"forward": [False], "backward": [True], "both": [False, True]}
    check_choice("direction", direction, [*orders])
    return orders[direction]


def _codes_in_a_graph(x: torch.Tensor, alpha: float, reverse: bool) -> torch.Tensor:
    """Computes what `_PrefixCodes` does, by the operations that a graph of ONNX has for sequences of any length."""
    if alpha == 1:
        return x.flip(-2).cumsum(-2).flip(-2) if reverse else x.cumsum(-2)
    length, lag = x.size(-2), 1
    # The codes of 1, 2, 4 ... elements, up to a distance at which even double precision sees no weight.
    while alpha**lag > 1e-20:
        earlier = pad(x, (0, 0, 0, lag))[..., lag:, :] if reverse else pad(x, (0, 0, lag, 0))[..., :length, :]
        x = x + alpha**lag * earlier
        lag *= 2
    return x


class _PrefixCodes(torch.autograd.Function):
    """Equation 3.1 in place. z_t and all later codes contain x_t: gradients are the codes of gradients in reverse."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, alpha: float, reverse: bool) -> torch.Tensor:
        ctx.alpha, ctx.reverse = alpha, reverse
        codes = x.flip(-2) if reverse else x.clone()
        length = x.shape[-2]
        lags = [2**level for level in range(length.bit_length() - 1)]
        # Codes of 2 lag elements up to every position that is a multiple of 2 lag, then those halfway between two.
        steps = [(2 * lag, lag) for lag in lags] + [(3 * lag, lag) for lag in reversed(lags)]
        for first, lag in steps:
            earlier = codes[..., first - lag - 1 : length - lag : 2 * lag, :]
            codes[..., first - 1 :: 2 * lag, :].add_(earlier, alpha=alpha**lag)
        return codes.flip(-2) if reverse else codes

    @staticmethod
    def backward(ctx: Any, gradients: torch.Tensor) -> Tuple[torch.Tensor, None, None]:
        return _PrefixCodes.apply(gradients, ctx.alpha, not ctx.reverse), None, None
