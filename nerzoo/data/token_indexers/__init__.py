from nerzoo.data.token_indexers.cached_characters import CachedCharactersIndexer
from nerzoo.data.token_indexers.cased_unknown import UNKNOWN_CAPITALIZED, CasedUnknownIndexer
from nerzoo.data.token_indexers.gazetteer import GAZETTEER_NAMESPACE, GazetteerIndexer
from nerzoo.data.token_indexers.hashed_characters import HashedCharactersIndexer
from nerzoo.data.token_indexers.lexical_features import LexicalFeaturesIndexer
from nerzoo.data.token_indexers.word_characters import WordCharactersIndexer
from nerzoo.data.token_indexers.zero_digits import ZeroDigitsIndexer

__all__ = [
    "CachedCharactersIndexer",
    "CasedUnknownIndexer",
    "GAZETTEER_NAMESPACE",
    "UNKNOWN_CAPITALIZED",
    "GazetteerIndexer",
    "HashedCharactersIndexer",
    "LexicalFeaturesIndexer",
    "WordCharactersIndexer",
    "ZeroDigitsIndexer",
]
