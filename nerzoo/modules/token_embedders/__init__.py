from nerzoo.modules.token_embedders.char_gated import CharGatedEmbedder
from nerzoo.modules.token_embedders.distinct_characters import DistinctCharactersEncoder
from nerzoo.modules.token_embedders.embedding import Embedding
from nerzoo.modules.token_embedders.fixed_embedding import FixedEmbedding
from nerzoo.modules.token_embedders.fofe import FofeEmbedder
from nerzoo.modules.token_embedders.lexical_features import LexicalFeaturesEmbedder
from nerzoo.modules.token_embedders.stateless_elmo import StatelessElmoEmbedder

__all__ = [
    "CharGatedEmbedder",
    "Embedding",
    "DistinctCharactersEncoder",
    "FixedEmbedding",
    "FofeEmbedder",
    "LexicalFeaturesEmbedder",
    "StatelessElmoEmbedder",
]
