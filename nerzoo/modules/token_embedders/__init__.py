from nerzoo.modules.token_embedders.char_gated import CharGatedEmbedder as CharGatedEmbedder
from nerzoo.modules.token_embedders.embedding import Embedding as Embedding, FixedEmbedding as FixedEmbedding
from nerzoo.modules.token_embedders.stateless_elmo import StatelessElmoEmbedder as StatelessElmoEmbedder
from nerzoo.modules.token_embedders.word_forms import (
    DistinctCharactersEncoder as DistinctCharactersEncoder,
    FofeEmbedder as FofeEmbedder,
    LexicalFeaturesEmbedder as LexicalFeaturesEmbedder,
)
