from typing import NamedTuple

import torch
from torch.nn.functional import pad


class CharacterSequence(NamedTuple):
    """
    The words of a batch as one sequence of N symbols, characters and spaces, with a space before and after each word.
    A span of any number of words is a run of symbols, and the sequence has no padding.
    """

    symbols: torch.Tensor
    """Shape (N,). The indices of characters; 0, the index of padding, is the space."""
    starts: torch.Tensor
    """Shape (B, T). The position of the first character of each word."""
    ends: torch.Tensor
    """Shape (B, T). The position after the last character of each word."""


def character_sequence(characters: torch.Tensor, mask: torch.BoolTensor) -> CharacterSequence:
    """
    Joins the words of a batch into one sequence.

    # Parameters

    characters : `torch.LongTensor`
        Shape (B, T, C). The tensor of the token indexer `characters`: the indices of each word's characters, then 0.
    mask : `torch.BoolTensor`
        Shape (B, T). True = real word.
    """
    lengths = (characters > 0).sum(2)
    positions = torch.arange(characters.size(2) + 1, device=characters.device)
    is_symbol = (positions <= lengths.unsqueeze(2)) & mask.unsqueeze(2)
    # One symbol more for the space after each word. The host waits for N, as it does for the number of spans.
    symbols = pad(characters, (0, 1))[is_symbol]
    ends = torch.where(mask, lengths + 1, 0).flatten().cumsum(0).view_as(lengths)
    # The space before the first word moves all positions by one.
    return CharacterSequence(pad(symbols, (1, 0)), ends - lengths, ends)


def character_spans(sequence: CharacterSequence, spans: torch.Tensor) -> torch.Tensor:
    """
    Finds the characters of spans.

    # Parameters

    sequence : `CharacterSequence`
    spans : `torch.LongTensor`
        Shape (S, 3). Sentence, start and end, exclusive.

    # Returns

    `torch.LongTensor`
        Shape (S, 2). The positions of the first and of the last character of each span, both inclusive.
    """
    sentences, starts, ends = spans.unbind(1)
    return torch.stack([sequence.starts[sentences, starts], sequence.ends[sentences, ends - 1] - 1], 1)
