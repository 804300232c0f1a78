"""
Batches rearranged: the distinct words of a batch, sequences grouped by length, reversed sequences, and the sentences of
documents as a batch of their own.

`sentences`, shape (B, N, L), holds the positions in the document of the tokens of each of up to N sentences, -1 at
padding, as `TaggedDocumentsReader` gives them.
"""

from typing import Callable, NamedTuple, Optional, Tuple, cast

import numpy
import torch


def distinct_rows(rows: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """
    Finds the distinct rows of a matrix (N, C) on the CPU. Returns indices `first` and `inverse`: `rows[first]` are the
    distinct rows, and `rows[first][inverse]` is `rows`.
    """
    # Rows are compared as bytes: `torch.unique` takes ten times as long, as long as most encoders of characters.
    whole = numpy.dtype((numpy.void, rows.shape[1] * rows.element_size()))
    _, first, inverse = numpy.unique(
        rows.contiguous().numpy().view(whole)[:, 0], return_index=True, return_inverse=True
    )
    return torch.from_numpy(first), torch.from_numpy(inverse)


class DistinctWords(NamedTuple):
    """
    The N distinct words of a batch, so that each is encoded once: `words` (N,) and their `characters` (N, C); the
    number of times (N,) that each is in the batch, 0 if it is unknown; and the row (B, T) of each word of the batch.
    """

    words: torch.Tensor
    characters: torch.Tensor
    num_known: torch.Tensor
    rows: torch.Tensor


def distinct_words(
    words: torch.Tensor, known: torch.BoolTensor, characters: torch.Tensor, rows: Optional[torch.Tensor]
) -> DistinctWords:
    """
    Finds the distinct words of a batch, given its `words` (B, T), if the vocabulary has them, `known` (B, T), the
    characters (N, C) of the distinct words, and the row of each word among them. Without `rows`, the characters are
    (B, T, C), and every token counts as a word of its own.
    """
    if rows is None:
        rows = torch.arange(words.numel(), device=words.device).view_as(words)
        return DistinctWords(words.flatten(), characters.flatten(0, 1), known.flatten().long(), rows)
    distinct = words.new_zeros(len(characters)).scatter(0, rows.flatten(), words.flatten())
    num_known = torch.zeros_like(distinct).scatter_add(0, rows.flatten(), known.flatten().long())
    return DistinctWords(distinct, characters, num_known, rows)


def encode_by_length(
    tokens: torch.Tensor,
    mask: torch.Tensor,
    encode: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    output_size: int,
    multiple: int = 1,
) -> torch.Tensor:
    """
    Maps sequences (B, T, D) and their mask (B, T) to outputs (B, O), O being `output_size`, zero for sequences of
    nothing but padding. Sequences whose lengths, rounded up to a `multiple`, are the same go together: `encode` maps N
    of them, of up to L tokens, (N, L, D) and their mask (N, L) to (N, O). For many sequences as short as words, this is
    faster on a CPU than packing or padding them.
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
    """Returns the mask (B * N, L) of sentences (B, N, L)."""
    return cast(torch.BoolTensor, (sentences >= 0).flatten(0, 1))


def split_documents(documents: torch.Tensor, sentences: torch.Tensor) -> torch.Tensor:
    """Splits documents (B, T, ...) into sentences (B * N, L, ...). Padding holds the document's first token."""
    return documents.flatten(0, 1)[_flat_positions(sentences, documents.shape[1])]


def join_sentences(tokens: torch.Tensor, sentences: torch.Tensor, length: int) -> torch.Tensor:
    """Joins sentences (B * N, L, H) to documents (B, `length`, H), zero at positions outside of all sentences."""
    num_positions = len(sentences) * length
    # One position more takes the padding.
    targets = _flat_positions(sentences, length).masked_fill(~sentence_mask(sentences), num_positions)
    documents = tokens.new_zeros(num_positions + 1, tokens.shape[-1])
    documents = documents.index_copy(0, targets.flatten(), tokens.flatten(0, 1))
    return documents[:-1].unflatten(0, (len(sentences), length))


def _flat_positions(sentences: torch.Tensor, length: int) -> torch.Tensor:
    """Returns the positions (B * N, L) of tokens in all documents, of `length` tokens each, one after the other."""
    starts = torch.arange(len(sentences), device=sentences.device).view(-1, 1, 1) * length
    return (starts + sentences.clamp_min(0)).flatten(0, 1)
