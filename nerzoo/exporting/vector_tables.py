from typing import Any, Dict

import torch
from numpy.typing import NDArray

from nerzoo.modules.token_embedders import CharGatedEmbedder, FixedEmbedding, LexicalFeaturesEmbedder


@torch.no_grad()
def vector_tables(embedder: torch.nn.Module) -> Dict[str, NDArray]:
    """
    Returns the vectors that an embedder looks up, by the ends of the names of their files: one table, or, where some
    vectors are fixed, those in half precision, the trained ones, and the rows of words in the latter.
    """
    if isinstance(embedder, CharGatedEmbedder):
        return vector_tables(embedder.word_embedding)
    if isinstance(embedder, FixedEmbedding):
        tables = {"": embedder.fixed, ".trained": embedder.trained, ".rows": embedder.rows.int()}
        return {name: table.numpy() for name, table in tables.items()}
    weight: Any = embedder.table if isinstance(embedder, LexicalFeaturesEmbedder) else embedder.weight
    # Through the embedder, which may project what it looks up.
    return {"": embedder(torch.arange(len(weight))).numpy()}
