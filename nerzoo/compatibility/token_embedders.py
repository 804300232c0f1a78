"""What embedders know of vocabularies and indexers."""

from typing import Dict, Optional

from allennlp.modules import TextFieldEmbedder, TokenEmbedder
from allennlp.modules.token_embedders import Embedding


def embedding_namespace(embedding: Embedding) -> Optional[str]:
    """
    Returns the namespace of the vocabulary from which an embedding has its size, if it has it from there;
    modules/token_embedders/embedding.py, Embedding.__init__: `self._vocab_namespace = vocab_namespace`.
    """
    return embedding._vocab_namespace


def token_embedders(text_field_embedder: TextFieldEmbedder) -> Dict[str, TokenEmbedder]:
    """
    Returns the token embedders by the names of their indexers;
    modules/text_field_embedders/basic_text_field_embedder.py, BasicTextFieldEmbedder.__init__:
    `name = "token_embedder_%s" % key`.
    """
    prefix = "token_embedder_"
    return {
        name.removeprefix(prefix): embedder
        for name, embedder in text_field_embedder.named_children()
        if name.startswith(prefix) and isinstance(embedder, TokenEmbedder)
    }
