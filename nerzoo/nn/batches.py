"""
The distinct words of a batch, so that what is computed of a word is computed once.

The sentences of documents as a batch of their own, and back.

`sentences`, shape (B, N, L), holds the positions in the document of the tokens of each of its up to N sentences, -1 at
padding, as `TaggedDocumentsReader` gives them.
"""

from typing import Callable, NamedTuple, Optional, Tuple, cast

import numpy
import torch


def distinct_rows(rows: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """
    Finds the distinct rows of a matrix.

    # Parameters

    rows : `torch.LongTensor`
        Shape (N, C), on the CPU.

    # Returns

    `Tuple[torch.LongTensor, torch.LongTensor]`
        `first` and `inverse`, so that `rows[first]` are the distinct rows and `rows[first][inverse]` is `rows`.
    """
    # Rows are compared as bytes: `torch.unique` takes ten times as long, as long as most encoders of characters.
    whole = numpy.dtype((numpy.void, rows.shape[1] * rows.element_size()))
    _, first, inverse = numpy.unique(
        rows.contiguous().numpy().view(whole)[:, 0], return_index=True, return_inverse=True
    )
    return torch.from_numpy(first), torch.from_numpy(inverse)


class DistinctWords(NamedTuple):
    """The N distinct words of a batch."""

    words: torch.Tensor
    """Shape (N,)."""
    characters: torch.Tensor
    """Shape (N, C)."""
    num_known: torch.Tensor
    """Shape (N,). The number of times that a word is in the batch, 0 if it is unknown."""
    rows: torch.Tensor
    """Shape (B, T). The row that each word of the batch has in the other tensors."""


def distinct_words(
    words: torch.Tensor,
    known: torch.BoolTensor,
    characters: torch.Tensor,
    rows: Optional[torch.Tensor],
) -> DistinctWords:
    """
    # Parameters

    words : `torch.LongTensor`
        Shape (B, T).
    known : `torch.BoolTensor`
        Shape (B, T). Which words the vocabulary has.
    characters : `torch.LongTensor`
        Shape (N, C), of the distinct words; where no `rows` tell words apart, shape (B, T, C).
    rows : `torch.LongTensor`, optional
        Shape (B, T). The row of `characters` that each word has. Without it, every token is a word of its own.
    """
    if rows is None:
        rows = torch.arange(words.numel(), device=words.device).view_as(words)
        return DistinctWords(words.flatten(), characters.flatten(0, 1), known.flatten().long(), rows)
    of_row = words.new_zeros(len(characters)).scatter(0, rows.flatten(), words.flatten())
    num_known = torch.zeros_like(of_row).scatter_add(0, rows.flatten(), known.flatten().long())
    return DistinctWords(of_row, characters, num_known, rows)


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


def reverse_sequences(inputs: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
    """Reverses each row of inputs (B, T, D) within its length; padding stays where it is."""
    positions = torch.arange(mask.numel(), device=mask.device).view(mask.shape)
    # The first and the last word of a sentence of n change places, whose positions add up to 2 * first + n - 1.
    turned = torch.where(mask, 2 * positions[:, :1] + mask.sum(1, keepdim=True) - 1 - positions, positions)
    return inputs.flatten(0, 1).index_select(0, turned.flatten()).view_as(inputs)


def sentence_mask(sentences: torch.Tensor) -> torch.BoolTensor:
    """Sentences (B, N, L) to the mask of all of them, (B * N, L)."""
    return cast(torch.BoolTensor, (sentences >= 0).flatten(0, 1))


def split_documents(documents: torch.Tensor, sentences: torch.Tensor) -> torch.Tensor:
    """
    Documents (B, T, ...) to their sentences (B * N, L, ...). Padding holds the first token of the document.
    """
    return documents.flatten(0, 1)[_flat_positions(sentences, documents.shape[1])]


def join_sentences(tokens: torch.Tensor, sentences: torch.Tensor, length: int) -> torch.Tensor:
    """
    The tokens of all sentences (B * N, L, H) to documents (B, T, H), T being `length`. Positions outside of all
    sentences are zero.
    """
    num_positions = len(sentences) * length
    # One position more takes the padding.
    targets = _flat_positions(sentences, length).masked_fill(~sentence_mask(sentences), num_positions)
    documents = tokens.new_zeros(num_positions + 1, tokens.shape[-1])
    documents = documents.index_copy(0, targets.flatten(), tokens.flatten(0, 1))
    return documents[:-1].unflatten(0, (len(sentences), length))


def _flat_positions(sentences: torch.Tensor, length: int) -> torch.Tensor:
    """Positions in the documents one after the other, each of `length` tokens, (B * N, L)."""
    starts = torch.arange(len(sentences), device=sentences.device).view(-1, 1, 1) * length
    return (starts + sentences.clamp_min(0)).flatten(0, 1)
