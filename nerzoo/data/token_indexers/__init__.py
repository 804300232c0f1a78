from nerzoo.data.token_indexers.characters import (
    CachedCharactersIndexer,
    HashedCharactersIndexer,
    WordCharactersIndexer,
)
from nerzoo.data.token_indexers.gazetteer import GazetteerIndexer
from nerzoo.data.token_indexers.transformer import TransformerIndexer
from nerzoo.data.token_indexers.word_forms import CasedUnknownIndexer, LexicalFeaturesIndexer, ZeroDigitsIndexer
