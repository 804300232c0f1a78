from contextlib import contextmanager
from functools import partial
from typing import Any, Dict, Iterator

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules.token_embedders import Embedding, TokenCharactersEncoder

from nerzoo.allennlp_private import embedding_namespace


@contextmanager
def checked_indices(model: torch.nn.Module) -> Iterator[None]:
    """
    While the block runs a model on a batch, its embeddings compare the indices with their size. Raises
    `ConfigurationError` where these do not fit, since indexer and embedder are of different kinds or namespaces. On a
    GPU, torch would say no more than that a kernel has failed.
    """
    handles = [
        module.register_forward_pre_hook(partial(_check_first, check, name), with_kwargs=True)
        for name, module in model.named_modules()
        for kind, check in ((Embedding, _check_indices), (TokenCharactersEncoder, _check_characters))
        if isinstance(module, kind)
    ]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def _check_first(check: Any, name: str, module: torch.nn.Module, args: Any, kwargs: Dict[str, Any]) -> None:
    check(name, module, next(iter([*args, *kwargs.values()])))


def _check_indices(name: str, embedding: Embedding, indices: torch.Tensor) -> None:
    size = embedding.num_embeddings
    highest = int(indices.max()) if indices.numel() else 0
    if highest >= size:
        namespace = embedding_namespace(embedding)
        raise ConfigurationError(
            f"{name}: found the index {highest}, expected at most {size - 1}: indexer and embedder have different "
            f"namespaces, that of the embedder is {namespace!r}"
        )


def _check_characters(name: str, encoder: TokenCharactersEncoder, indices: torch.Tensor) -> None:
    if indices.dim() != 3:
        raise ConfigurationError(
            f"{name}: found indices of shape {list(indices.shape)}, expected those of the characters of each word: "
            "the indexer is of another kind"
        )
