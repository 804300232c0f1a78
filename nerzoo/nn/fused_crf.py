"""
The sums and the best sequences of a linear-chain CRF in one kernel each, where PyTorch's operations take several for
each token: for GPUs, on which those are too small to be worth their launches. The kernels are in `crf_kernels`.

B sentences of up to T tokens, L tags. All scores are of one type, float32 or float64.
"""

import functools
from importlib.util import find_spec
from typing import Any, Tuple

import torch

from nerzoo.nn.crf_kernels import kernel

MAX_TAGS = 128
"""The transitions of more tags do not fit on the chip."""


@functools.cache
def _has_triton() -> bool:
    # Builds of PyTorch for CPUs, and those for Windows, come without it.
    return find_spec("triton") is not None


def fits(logits: torch.Tensor) -> bool:
    """Whether the kernels are for logits like these, (B, T, L)."""
    return logits.device.type == "cuda" and logits.size(2) <= MAX_TAGS and _has_triton()


@torch.library.custom_op("nerzoo::crf_log_partition", mutates_args=())
def log_partition(
    logits: torch.Tensor, transitions: torch.Tensor, start: torch.Tensor, end: torch.Tensor, lengths: torch.Tensor
) -> Tuple[torch.Tensor, torch.Tensor]:
    """
    # Parameters

    logits : `torch.Tensor`, (B, T, L)
    transitions : `torch.Tensor`, (L, L)
        From each tag to each tag.
    start, end : `torch.Tensor`, (L,)
    lengths : `torch.LongTensor`, (B,)

    # Returns

    `Tuple[torch.Tensor, torch.Tensor]`, (B,) and (B, T, L)
        log Z, 0 for sentences without tokens; and the scores of the sequences up to each tag, relative to the highest
        of its token, which `crf_marginals` goes on from.
    """
    alphas = torch.empty_like(logits, memory_format=torch.contiguous_format)
    total = logits.new_zeros(len(logits), dtype=torch.float64)
    _launch("log_partition_kernel", logits, transitions, start, end, lengths, alphas, total)
    return total.to(logits.dtype), alphas


@log_partition.register_fake
def _(logits: torch.Tensor, *others: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    return logits.new_empty(len(logits)), torch.empty_like(logits, memory_format=torch.contiguous_format)


@torch.library.custom_op("nerzoo::crf_marginals", mutates_args=())
def marginals(
    logits: torch.Tensor, transitions: torch.Tensor, end: torch.Tensor, lengths: torch.Tensor, alphas: torch.Tensor
) -> Tuple[torch.Tensor, torch.Tensor]:
    """
    # Parameters

    logits, transitions, end, lengths : `torch.Tensor`
        As in `crf_log_partition`.
    alphas : `torch.Tensor`, (B, T, L)
        As that returns them.

    # Returns

    `Tuple[torch.Tensor, torch.Tensor]`, (B, T, L) and (B, L, L)
        The probability of each tag at each token, zero at padding; and the expected number of each transition.
    """
    of_tags, pairs = torch.zeros_like(alphas), logits.new_zeros(len(logits), *transitions.shape)
    _launch("marginals_kernel", logits, transitions, end, lengths, alphas, of_tags, pairs)
    return of_tags, pairs


@marginals.register_fake
def _(logits: torch.Tensor, transitions: torch.Tensor, *others: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    return torch.empty_like(others[-1]), logits.new_empty(len(logits), *transitions.shape)


@torch.library.custom_op("nerzoo::crf_viterbi", mutates_args=())
def viterbi(
    logits: torch.Tensor, transitions: torch.Tensor, start: torch.Tensor, end: torch.Tensor, lengths: torch.Tensor
) -> Tuple[torch.Tensor, torch.Tensor]:
    """
    # Parameters

    As in `crf_log_partition`; transitions that are not allowed are -inf.

    # Returns

    `Tuple[torch.LongTensor, torch.Tensor]`, (B, T) and (B,)
        The best tag sequence of each sentence, zero at padding and where there is none; and its score, -inf where there
        is none, 0 for sentences without tokens.
    """
    origins = torch.empty(logits.shape, dtype=torch.uint8, device=logits.device)
    best = torch.zeros(logits.shape[:2], dtype=torch.long, device=logits.device)
    scores = logits.new_zeros(len(logits), dtype=torch.float64)
    _launch("viterbi_kernel", logits, transitions, start, end, lengths, origins, best, scores)
    return best, scores.to(logits.dtype)


@viterbi.register_fake
def _(logits: torch.Tensor, *others: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    return logits.new_empty(logits.shape[:2], dtype=torch.long), logits.new_empty(len(logits))


def _launch(name: str, logits: torch.Tensor, *others: torch.Tensor) -> None:
    batch_size, length, num_tags = logits.shape
    padded = max(16, 1 << (num_tags - 1).bit_length())
    # So that a thread holds some 16 of the transitions.
    num_warps = min(16, max(1, padded**2 // 512))
    tensors = (tensor.contiguous() for tensor in (logits, *others))
    kernel(name)[(batch_size,)](*tensors, length, num_tags, PADDED=padded, num_warps=num_warps)


def _keep(ctx: Any, inputs: Tuple[torch.Tensor, ...], output: Tuple[torch.Tensor, torch.Tensor]) -> None:
    logits, transitions, _, end, lengths = inputs
    ctx.save_for_backward(logits, transitions, end, lengths, output[1])
    ctx.mark_non_differentiable(output[1])


def _backward(ctx: Any, gradient: torch.Tensor, _: torch.Tensor) -> Tuple[Any, ...]:
    of_tags, pairs = marginals(*ctx.saved_tensors)
    *_, lengths, _ = ctx.saved_tensors
    by_logit = of_tags * gradient.view(-1, 1, 1)
    last = (lengths - 1).clamp(min=0).view(-1, 1, 1)
    by_end = by_logit.take_along_dim(last, 1).sum((0, 1))
    return by_logit, torch.einsum("b,bij->ij", gradient, pairs), by_logit[:, 0].sum(0), by_end, None


log_partition.register_autograd(_backward, setup_context=_keep)
