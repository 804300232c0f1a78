from nerzoo.data.token_indexers.cached_characters import CachedCharactersIndexer as CachedCharactersIndexer
from nerzoo.data.token_indexers.cased_unknown import (
    UNKNOWN_CAPITALIZED as UNKNOWN_CAPITALIZED,
    CasedUnknownIndexer as CasedUnknownIndexer,
)
from nerzoo.data.token_indexers.gazetteer import (
    GAZETTEER_NAMESPACE as GAZETTEER_NAMESPACE,
    GazetteerIndexer as GazetteerIndexer,
)
from nerzoo.data.token_indexers.hashed_characters import HashedCharactersIndexer as HashedCharactersIndexer
from nerzoo.data.token_indexers.lexical_features import LexicalFeaturesIndexer as LexicalFeaturesIndexer
from nerzoo.data.token_indexers.word_characters import WordCharactersIndexer as WordCharactersIndexer
from nerzoo.data.token_indexers.zero_digits import ZeroDigitsIndexer as ZeroDigitsIndexer
