from nerzoo.data.token_indexers.cached_characters import CachedCharactersIndexer
from nerzoo.data.token_indexers.gazetteer import GAZETTEER_NAMESPACE, GazetteerIndexer
from nerzoo.data.token_indexers.lexical_features import NUM_LEXICAL_FEATURES, LexicalFeaturesIndexer

__all__ = [
    "CachedCharactersIndexer",
    "GAZETTEER_NAMESPACE",
    "NUM_LEXICAL_FEATURES",
    "GazetteerIndexer",
    "LexicalFeaturesIndexer",
]
