from typing import Callable

import torch


def encode_by_length(
    tokens: torch.Tensor,
    mask: torch.Tensor,
    encode: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    output_size: int,
    multiple: int = 1,
) -> torch.Tensor:
    """
    Encodes the sequences of each length by themselves, without padding, or with little of it: on a CPU faster than
    packed or padded ones where they are many and as short as words.

    # Parameters

    tokens : `torch.Tensor`
        Shape (B, T, D).
    mask : `torch.Tensor`
        Shape (B, T).
    encode : `Callable[[torch.Tensor, torch.Tensor], torch.Tensor]`
        From N sequences of up to L, (N, L, D), and their mask (N, L), to outputs (N, O).
    output_size : `int`
        O.
    multiple : `int`, optional (default = `1`)
        Sequences whose lengths round up to the same multiple go together; 1: all are of length L.

    # Returns

    `torch.Tensor`, (B, O), zero for sequences of nothing but padding.
    """
    lengths, order = mask.sum(1).add(multiple - 1).div(multiple, rounding_mode="floor").sort(stable=True)
    distinct, counts = lengths.unique_consecutive(return_counts=True)
    outputs = []
    for length, rows in zip(distinct.tolist(), order.split(counts.tolist()), strict=True):
        if length == 0:
            outputs.append(tokens.new_zeros(len(rows), output_size))
        else:
            end = length * multiple
            outputs.append(encode(tokens[rows, :end], mask[rows, :end]))
    return torch.cat(outputs).index_select(0, order.argsort())
