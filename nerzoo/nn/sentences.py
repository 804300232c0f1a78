"""
The sentences of documents as a batch of their own, and back.

`sentences`, shape (B, N, L), holds the positions in the document of the tokens of each of its up to N sentences, -1 at
padding, as `TaggedDocumentsReader` gives them.
"""

from typing import cast

import torch


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
