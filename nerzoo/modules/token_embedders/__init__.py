from nerzoo.modules.token_embedders.char_gated import CharGatedEmbedder
from nerzoo.modules.token_embedders.distinct_characters import DistinctCharactersEncoder
from nerzoo.modules.token_embedders.fixed_embedding import FixedEmbedding
from nerzoo.modules.token_embedders.fofe import FofeEmbedder
from nerzoo.modules.token_embedders.lexical_features import LexicalFeaturesEmbedder
from nerzoo.modules.token_embedders.stateless_elmo import StatelessElmoEmbedder

__all__ = [
    "CharGatedEmbedder",
    "DistinctCharactersEncoder",
    "FixedEmbedding",
    "FofeEmbedder",
    "LexicalFeaturesEmbedder",
    "StatelessElmoEmbedder",
]
