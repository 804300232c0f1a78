from allennlp.modules import TokenEmbedder
from allennlp.modules.token_embedders import Embedding, TokenCharactersEncoder

from nerzoo.modules.seq2vec_encoders.fofe import FofeSeq2VecEncoder


@TokenEmbedder.register("fofe")
class FofeEmbedder(TokenCharactersEncoder):
    """
    The characters of each word as FOFE codes, from left to right and from right to left (Xu, 2017, section 5.2.2):
    AllenNLP's `character_encoding` with the encoder `fofe` in both directions. It takes what the indexer `characters`
    gives.

    # Parameters

    embedding : `Embedding`
        The embedding of characters, of size D. The output has size 2D.
    alpha : `float`
        The forgetting factor of characters, in (0, 1].

    # Raises

    `ConfigurationError` where alpha is outside (0, 1].
    """

    def __init__(self, embedding: Embedding, alpha: float) -> None:
        super().__init__(embedding, FofeSeq2VecEncoder(embedding.get_output_dim(), alpha, "both"))
