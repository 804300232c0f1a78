from typing import Any, Iterator, List, Tuple

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules import FeedForward, InputVariationalDropout, TimeDistributed
from allennlp.modules.seq2vec_encoders import CnnEncoder
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from allennlp.modules.token_embedders import Embedding, TokenCharactersEncoder
from allennlp.nn import Activation
from torch.nn.functional import embedding

from nerzoo.allennlp_private import token_embedders
from nerzoo.models import SequenceTagger
from nerzoo.models.heads import ProjectionHead
from nerzoo.modules.input_dropouts import InputDropout
from nerzoo.modules.lstm import Lstm
from nerzoo.modules.seq2seq_encoders import BiLstm, Convolution
from nerzoo.modules.seq2vec_encoders import BiLstmSeq2VecEncoder, FofeSeq2VecEncoder
from nerzoo.modules.tag_distributions import ConditionalRandomField, SoftmaxDistribution
from nerzoo.modules.token_embedders import (
    CharGatedEmbedder,
    DistinctCharactersEncoder,
    FixedEmbedding,
    FofeEmbedder,
    LexicalFeaturesEmbedder,
)
from nerzoo.modules.token_embedders.embedding import Embedding as FileEmbedding

_EXPORTED = (
    BasicTextFieldEmbedder,
    BiLstm,
    BiLstmSeq2VecEncoder,
    CharGatedEmbedder,
    CnnEncoder,
    ConditionalRandomField,
    Convolution,
    DistinctCharactersEncoder,
    Embedding,
    FeedForward,
    FileEmbedding,
    FixedEmbedding,
    FofeEmbedder,
    FofeSeq2VecEncoder,
    InputVariationalDropout,
    LexicalFeaturesEmbedder,
    Lstm,
    ProjectionHead,
    SequenceTagger,
    SoftmaxDistribution,
    TimeDistributed,
    TokenCharactersEncoder,
)


class Emissions(torch.nn.Module):
    """
    The scores that a tagger gives to tags, as one function of tensors without a condition on data. Vectors are looked
    up before it, so that tables of any size are no part of it, and made once for each distinct word of a batch.

    # Parameters

    model : `Any`
        A `SequenceTagger`.

    # Raises

    `ConfigurationError`, naming it, where the model has a part that cannot be exported.
    """

    def __init__(self, model: Any) -> None:
        super().__init__()
        for name, type_ in _unknown("model", model):
            raise ConfigurationError(
                f"found {name} of the type {type_}, expected a sequence_tagger that reads words and characters by "
                "bilstm, cnn or convolution, which are exported"
            )
        self.model = model
        self.embedders = sorted(token_embedders(model.text_field_embedder).items())
        """The token embedders and their names, in the order of their vectors."""
        self.eval()

    def forward(self, rows: torch.Tensor, mask: torch.Tensor, *inputs: torch.Tensor) -> torch.Tensor:
        """
        # Parameters

        rows : `torch.LongTensor`
            Shape (B, T). The row that each token has in the inputs.
        mask : `torch.BoolTensor`
            Shape (B, T).
        *inputs : `torch.Tensor`
            Of the N distinct words, for each embedder, in their order, the vectors (N, D) of words, the indices of
            their characters (N, C), 0 at padding, or, of one that reads both, both.

        # Returns

        `torch.Tensor`
            Scores of tags, shape (B, T, L), arbitrary at padding.
        """
        remaining = iter(inputs)
        vectors = [_of_words(embedder, remaining) for _, embedder in self.embedders]
        encoded = self.model.encode(embedding(rows, torch.cat(vectors, -1)), mask)
        return self.model.head(encoded, mask, decode=False)["logits"]


def _of_words(embedder: torch.nn.Module, inputs: Iterator[torch.Tensor]) -> torch.Tensor:
    if isinstance(embedder, TokenCharactersEncoder):
        return embedder(next(inputs).unsqueeze(0)).squeeze(0)
    vectors = next(inputs)
    if isinstance(embedder, CharGatedEmbedder) and embedder.character_encoder is not None:
        return embedder.combine(vectors, next(inputs))
    return vectors


def _unknown(name: str, module: torch.nn.Module) -> List[Tuple[str, str]]:
    """Returns the names and types of the outermost parts that are not known to be exported as they compute."""
    is_known = type(module) in _EXPORTED or isinstance(module, (Activation, InputDropout))
    if not is_known and not type(module).__module__.startswith("torch.nn.modules."):
        return [(name, type(module).__name__)]
    return [found for part, child in module.named_children() for found in _unknown(f"{name}.{part}", child)]
