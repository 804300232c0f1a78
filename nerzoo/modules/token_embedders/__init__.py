from nerzoo.modules.token_embedders.char_gated import CharGatedEmbedder
from nerzoo.modules.token_embedders.embedding import Embedding, FixedEmbedding
from nerzoo.modules.token_embedders.transformer import TransformerEmbedder
from nerzoo.modules.token_embedders.word_forms import (
    DistinctCharactersEncoder,
    FofeEmbedder,
    LexicalFeaturesEmbedder,
    StatelessElmoEmbedder,
)
