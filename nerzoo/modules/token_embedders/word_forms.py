"""Embedders of words by their characters and by the form of their characters."""

from typing import Any

import torch
from allennlp.modules import TokenEmbedder
from allennlp.modules.elmo_lstm import ElmoLstm
from allennlp.modules.token_embedders import ElmoTokenEmbedder, Embedding, TokenCharactersEncoder

from nerzoo.data.token_indexers.characters import distinct_rows
from nerzoo.modules.seq2vec_encoders.fofe import FofeSeq2VecEncoder
from nerzoo.text.word_forms import NUM_LEXICAL_FEATURES


@TokenEmbedder.register("distinct_characters")
class DistinctCharactersEncoder(TokenCharactersEncoder):
    """
    AllenNLP's `character_encoding`, with the same parameters and weights, that runs the encoder once for each distinct
    word of a batch in evaluation on a CPU. In training, batches are smaller and finding distinct words costs as much as
    it saves; a GPU would have to wait for it; and a trace would keep the words of one batch.
    """

    def forward(self, token_characters: torch.Tensor) -> torch.Tensor:
        """Maps the characters of words (B, T, C) to vectors (B, T, D), never in half precision."""
        # modules/seq2vec_encoders/cnn_encoder.py, CnnEncoder.forward: marks padding by the lowest number of the type of
        # its outputs, but under autocast the outputs of the convolution have another type.
        with torch.autocast(token_characters.device.type, enabled=False):
            if self.training or token_characters.device.type != "cpu" or torch.jit.is_tracing():
                return super().forward(token_characters)
            words = token_characters.flatten(0, 1)
            first, inverse = distinct_rows(words)
            # shape: (1, N, C)
            distinct = words[first].unsqueeze(0)
            vectors = self._encoder(self._embedding(distinct), distinct != 0).squeeze(0)
            return self._dropout(vectors.index_select(0, inverse).view(*token_characters.shape[:2], -1))


@TokenEmbedder.register("fofe")
class FofeEmbedder(TokenCharactersEncoder):
    """
    The characters of each word as FOFE codes, from left to right and from right to left (Xu, 2017, section 5.2.2):
    AllenNLP's `character_encoding` with the encoder `fofe` in both directions, for the indexer `characters`.

    # Parameters

    embedding : `Embedding`
        The embedding of characters, of size D. The output has size 2D.
    alpha : `float`
        The forgetting factor of characters. Outside (0, 1] it raises `ConfigurationError`.
    """

    def __init__(self, embedding: Embedding, alpha: float) -> None:
        super().__init__(embedding, FofeSeq2VecEncoder(embedding.get_output_dim(), alpha, "both"))


@TokenEmbedder.register("lexical_features")
class LexicalFeaturesEmbedder(TokenEmbedder):
    """The six features that `LexicalFeaturesIndexer` finds in each word, as zeros and ones. Nothing is learned."""

    table: torch.Tensor

    def __init__(self) -> None:
        super().__init__()
        features = torch.arange(NUM_LEXICAL_FEATURES)
        forms = torch.arange(2**NUM_LEXICAL_FEATURES).unsqueeze(1)
        # The features of each form, after a row for padding.
        table = torch.cat([torch.zeros(1, NUM_LEXICAL_FEATURES), (forms >> features & 1).float()])
        self.register_buffer("table", table, persistent=False)

    def get_output_dim(self) -> int:
        return NUM_LEXICAL_FEATURES

    def forward(self, forms: torch.Tensor) -> torch.Tensor:
        """Maps forms (..., T) to features (..., T, 6), zero at padding."""
        return torch.nn.functional.embedding(forms, self.table)


@TokenEmbedder.register("stateless_elmo")
class StatelessElmoEmbedder(ElmoTokenEmbedder):
    """
    ELMo (Peters et al., 2018), applied to each sentence by itself. Parameters as in AllenNLP's `elmo_token_embedder`.

    AllenNLP's ELMo starts a batch from the final states of the batch before it, which no checkpoint has: predictions
    depend on their order, and a run that is resumed with `--recover` differs from an unbroken one.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        for module in self.modules():
            if isinstance(module, ElmoLstm):
                module.stateful = False
