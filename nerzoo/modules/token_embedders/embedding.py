from typing import Any, Optional

from allennlp.modules import TokenEmbedder
from allennlp.modules.token_embedders import embedding

from nerzoo.data.word_vector_files import reading_word_vectors


# AllenNLP's own (modules/token_embedders/embedding.py, _read_pretrained_file) ends in errors of NumPy, gzip or h5py
# that do not name the file.
@TokenEmbedder.register("embedding", exist_ok=True)
class Embedding(embedding.Embedding):
    """
    AllenNLP's embedding, whose parameters it has. Raises `ConfigurationError` where the file of word vectors cannot be
    read.
    """

    def __init__(self, embedding_dim: int, pretrained_file: Optional[str] = None, **kwargs: Any) -> None:
        if pretrained_file is None:
            super().__init__(embedding_dim, **kwargs)
            return
        with reading_word_vectors(pretrained_file):
            super().__init__(embedding_dim, pretrained_file=pretrained_file, **kwargs)
