from nerzoo.data.token_indexers.characters import (
    CachedCharactersIndexer as CachedCharactersIndexer,
    HashedCharactersIndexer as HashedCharactersIndexer,
    WordCharactersIndexer as WordCharactersIndexer,
)
from nerzoo.data.token_indexers.gazetteer import GazetteerIndexer as GazetteerIndexer
from nerzoo.data.token_indexers.word_forms import (
    CasedUnknownIndexer as CasedUnknownIndexer,
    LexicalFeaturesIndexer as LexicalFeaturesIndexer,
    ZeroDigitsIndexer as ZeroDigitsIndexer,
)
