"""
The sums and the best sequences of a linear-chain CRF on a GPU, in one kernel each. PyTorch's operations take several
launches for each token. The kernels are in `crf_kernels`.

B sentences of up to T tokens have logits (B, T, L) of L tags and `lengths` (B,); transitions (L, L) lead from the
row's tag to the column's; `start` and `end` are (L,). All scores are of one type, float32 or float64.
"""

from typing import Any, Tuple

import torch

from nerzoo.nn.crf_kernels import kernel


@torch.library.custom_op("nerzoo::crf_log_partition", mutates_args=())
def log_partition(
    logits: torch.Tensor, transitions: torch.Tensor, start: torch.Tensor, end: torch.Tensor, lengths: torch.Tensor
) -> Tuple[torch.Tensor, torch.Tensor]:
    """
    Returns log Z (B,), 0 for sentences without tokens, and `alphas` (B, T, L), the scores of the sequences up to each
    tag, relative to the highest of its token, for `marginals`.
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
    Returns the probability of each tag at each token (B, T, L), zero at padding, and the expected number of each
    transition (B, L, L), given the `alphas` of `log_partition`.
    """
    tags, pairs = torch.zeros_like(alphas), logits.new_zeros(len(logits), *transitions.shape)
    _launch("marginals_kernel", logits, transitions, end, lengths, alphas, tags, pairs)
    return tags, pairs


@marginals.register_fake
def _(logits: torch.Tensor, transitions: torch.Tensor, *others: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    return torch.empty_like(others[-1]), logits.new_empty(len(logits), *transitions.shape)


@torch.library.custom_op("nerzoo::crf_viterbi", mutates_args=())
def viterbi(
    logits: torch.Tensor, transitions: torch.Tensor, start: torch.Tensor, end: torch.Tensor, lengths: torch.Tensor
) -> Tuple[torch.Tensor, torch.Tensor]:
    """
    Returns the best tag sequence of each sentence (B, T), zero at padding and where there is none, and its score (B,),
    -inf where there is none, 0 for sentences without tokens. Transitions that are not allowed are -inf.
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
    # A thread holds some 16 of the transitions.
    num_warps = min(16, max(1, padded**2 // 512))
    tensors = (tensor.contiguous() for tensor in (logits, *others))
    kernel(name)[(batch_size,)](*tensors, length, num_tags, PADDED=padded, num_warps=num_warps)


def _save(ctx: Any, inputs: Tuple[torch.Tensor, ...], output: Tuple[torch.Tensor, torch.Tensor]) -> None:
    logits, transitions, _, end, lengths = inputs
    ctx.save_for_backward(logits, transitions, end, lengths, output[1])
    ctx.mark_non_differentiable(output[1])


def _backward(ctx: Any, gradient: torch.Tensor, _: torch.Tensor) -> Tuple[Any, ...]:
    tags, pairs = marginals(*ctx.saved_tensors)
    *_, lengths, _ = ctx.saved_tensors
    by_logit = tags * gradient.view(-1, 1, 1)
    last = (lengths - 1).clamp(min=0).view(-1, 1, 1)
    by_end = by_logit.take_along_dim(last, 1).sum((0, 1))
    return by_logit, torch.einsum("b,bij->ij", gradient, pairs), by_logit[:, 0].sum(0), by_end, None


log_partition.register_autograd(_backward, setup_context=_save)
