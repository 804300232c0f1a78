"""
The recursions of a linear-chain CRF as Triton kernels. One program handles a sentence, and keeps all transitions and
the scores of the tags so far on the chip. `fused_crf` describes the arguments.

Scores are logarithms, so that no probability is too small for single precision. They are relative to the highest of
their token, and the highest ones are summed in double precision.

Loops are `while`: with numpy 2.4, Triton's interpreter has no `range` over a number that was loaded.

`kernel` imports Triton. This module does not, since AllenNLP imports it wherever it looks for components.
"""

from __future__ import annotations

from typing import Any

tl: Any = None
"""`triton.language`, once it is imported."""


def relative(scores):  # pragma: no cover
    """Returns scores relative to the highest, and the highest, or 0 where all are impossible."""
    highest = tl.max(scores, 0)
    highest = tl.where(highest == float("-inf"), 0.0, highest)
    return scores - highest, highest


def log_sum_exp(scores, axis: tl.constexpr):  # pragma: no cover
    """Returns log sum exp of a matrix along an axis, -inf where all are impossible."""
    highest = tl.max(scores, axis)
    highest = tl.where(highest == float("-inf"), 0.0, highest)
    return tl.log(tl.sum(tl.exp(scores - tl.expand_dims(highest, axis)), axis)) + highest


def load_tags(pointer, num_tags, PADDED: tl.constexpr):  # pragma: no cover
    """Loads a number for each tag, -inf beyond the last one."""
    tags = tl.arange(0, PADDED)
    return tl.load(pointer + tags, mask=tags < num_tags, other=float("-inf"))


def load_transitions(pointer, num_tags, PADDED: tl.constexpr):  # pragma: no cover
    """Loads the transitions between tags, -inf beyond the last one."""
    tags = tl.arange(0, PADDED)
    is_tag = tags < num_tags
    cells = tags[:, None] * num_tags + tags[None, :]
    return tl.load(pointer + cells, mask=is_tag[:, None] & is_tag[None, :], other=float("-inf"))


def log_partition_kernel(
    logits, transitions, start, end, lengths, alphas, log_partition, max_length, num_tags, PADDED: tl.constexpr
):  # pragma: no cover
    """Runs the forward algorithm of one sequence."""
    row = tl.program_id(0).to(tl.int64)
    length = tl.load(lengths + row)
    tags = tl.arange(0, PADDED)
    logits += row * max_length * num_tags
    alphas += row * max_length * num_tags
    if length > 0:
        between = load_transitions(transitions, num_tags, PADDED)
        alpha, highest = relative(load_tags(start, num_tags, PADDED) + load_tags(logits, num_tags, PADDED))
        total = highest.to(tl.float64)
        tl.store(alphas + tags, alpha, mask=tags < num_tags)
        token = 1
        while token < length:
            emission = load_tags(logits + token * num_tags, num_tags, PADDED)
            alpha, highest = relative(log_sum_exp(alpha[:, None] + between, 0) + emission)
            total += highest.to(tl.float64)
            tl.store(alphas + token * num_tags + tags, alpha, mask=tags < num_tags)
            token += 1
        final, highest = relative(alpha + load_tags(end, num_tags, PADDED))
        total += highest.to(tl.float64) + tl.log(tl.sum(tl.exp(final), 0)).to(tl.float64)
        tl.store(log_partition + row, total)


def marginals_kernel(
    logits, transitions, end, lengths, alphas, marginals, pairs, max_length, num_tags, PADDED: tl.constexpr
):  # pragma: no cover
    """Runs the backward algorithm of one sequence, and computes marginals from it."""
    row = tl.program_id(0).to(tl.int64)
    length = tl.load(lengths + row)
    tags = tl.arange(0, PADDED)
    is_tag = tags < num_tags
    logits += row * max_length * num_tags
    alphas += row * max_length * num_tags
    marginals += row * max_length * num_tags
    if length > 0:
        between = load_transitions(transitions, num_tags, PADDED)
        beta = load_tags(end, num_tags, PADDED)
        # alpha + beta is the score of all sequences with a tag, relative to a number that is the same for all tags.
        with_tag, _ = relative(load_tags(alphas + (length - 1) * num_tags, num_tags, PADDED) + beta)
        weight = tl.exp(with_tag)
        tl.store(marginals + (length - 1) * num_tags + tags, weight / tl.sum(weight, 0), mask=is_tag)
        expected_pairs = tl.zeros_like(between)
        token = length - 2
        while token >= 0:
            onwards = load_tags(logits + (token + 1) * num_tags, num_tags, PADDED) + beta
            after, _ = relative(onwards)
            scores = between + after[None, :]
            beta = log_sum_exp(scores, 1)
            alpha = load_tags(alphas + token * num_tags, num_tags, PADDED)
            with_tag, highest = relative(alpha + beta)
            weight = tl.exp(with_tag)
            whole = tl.sum(weight, 0)
            tl.store(marginals + token * num_tags + tags, weight / whole, mask=is_tag)
            expected_pairs += tl.exp(scores + alpha[:, None] - highest) / whole
            token -= 1
        cells = tags[:, None] * num_tags + tags[None, :]
        tl.store(pairs + row * num_tags * num_tags + cells, expected_pairs, mask=is_tag[:, None] & is_tag[None, :])


def viterbi_kernel(
    logits, transitions, start, end, lengths, origins, best, scores, max_length, num_tags, PADDED: tl.constexpr
):  # pragma: no cover
    """Runs the Viterbi algorithm of one sequence."""
    row = tl.program_id(0).to(tl.int64)
    length = tl.load(lengths + row)
    tags = tl.arange(0, PADDED)
    logits += row * max_length * num_tags
    origins += row * max_length * num_tags
    best += row * max_length
    if length > 0:
        between = load_transitions(transitions, num_tags, PADDED)
        alpha, highest = relative(load_tags(start, num_tags, PADDED) + load_tags(logits, num_tags, PADDED))
        total = highest.to(tl.float64)
        token = 1
        while token < length:
            ways = alpha[:, None] + between
            tl.store(origins + token * num_tags + tags, tl.argmax(ways, 0), mask=tags < num_tags)
            emission = load_tags(logits + token * num_tags, num_tags, PADDED)
            alpha, highest = relative(tl.max(ways, 0) + emission)
            total += highest.to(tl.float64)
            token += 1
        final = alpha + load_tags(end, num_tags, PADDED)
        highest = tl.max(final, 0)
        tl.store(scores + row, total + highest.to(tl.float64))
        if highest > float("-inf"):
            tag = tl.argmax(final, 0)
            tl.store(best + length - 1, tag)
            # One thread reads what all have written.
            tl.debug_barrier()
            place = length - 1
            while place > 0:
                tag = tl.load(origins + place * num_tags + tag).to(tl.int32)
                place -= 1
                tl.store(best + place, tag)


_KERNELS = (log_partition_kernel, marginals_kernel, viterbi_kernel)
_FUNCTIONS = (relative, log_sum_exp, load_tags, load_transitions, *_KERNELS)


def kernel(name: str) -> Any:
    """Imports Triton, and returns the kernel of that name, which is compiled for the GPU at its first launch."""
    if tl is None:
        import triton

        jitted = {function.__name__: triton.jit(function) for function in _FUNCTIONS}
        globals().update(jitted, tl=triton.language)
    return globals()[name]
