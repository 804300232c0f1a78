from nerzoo.modules.token_embedders.distinct_characters import DistinctCharactersEncoder
from nerzoo.modules.token_embedders.fofe import FofeEmbedder
from nerzoo.modules.token_embedders.lexical_features import LexicalFeaturesEmbedder

__all__ = ["DistinctCharactersEncoder", "FofeEmbedder", "LexicalFeaturesEmbedder"]
