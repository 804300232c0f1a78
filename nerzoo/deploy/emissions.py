import warnings
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Tuple

import numpy
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules import FeedForward, InputVariationalDropout, TimeDistributed
from allennlp.modules.seq2vec_encoders import CnnEncoder
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from allennlp.modules.token_embedders import Embedding, TokenCharactersEncoder
from allennlp.nn import Activation
from numpy.typing import NDArray
from torch.nn.functional import embedding

from nerzoo.allennlp_private import token_embedders
from nerzoo.errors import extra
from nerzoo.models.heads.tag_head import ProjectionHead
from nerzoo.models.sequence_tagger import SequenceTagger
from nerzoo.modules.dropout import InputDropout
from nerzoo.modules.seq2seq_encoders.bidirectional import BiLstm, Lstm
from nerzoo.modules.seq2seq_encoders.convolution import Convolution
from nerzoo.modules.seq2vec_encoders.fofe import FofeSeq2VecEncoder
from nerzoo.modules.seq2vec_encoders.recurrent import BiLstmSeq2VecEncoder
from nerzoo.modules.tag_distributions import ConditionalRandomField, SoftmaxDistribution
from nerzoo.modules.token_embedders.char_gated import CharGatedEmbedder
from nerzoo.modules.token_embedders.embedding import Embedding as FileEmbedding, FixedEmbedding
from nerzoo.modules.token_embedders.word_forms import (
    DistinctCharactersEncoder,
    FofeEmbedder,
    LexicalFeaturesEmbedder,
)

# The types of modules that the graph computes as PyTorch does.
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

_OPSET = 17
_TOLERANCE = 1e-4
_FEWEST = 1024
"""Smaller tables of weights stay as they are."""


class Emissions(torch.nn.Module):
    """
    The scores that a `SequenceTagger` gives to tags, as one function of tensors without a condition on data. Its inputs
    are vectors and characters of the distinct words of a batch: tables of vectors, of any size, are not part of it.
    Raises `ConfigurationError` where the model has a part that cannot be exported, which the message names.
    """

    def __init__(self, model: Any) -> None:
        super().__init__()
        for name, type_ in _unknown_parts("model", model):
            expected = "a sequence_tagger that reads words and characters by bilstm, cnn or convolution"
            raise ConfigurationError(f"found {name} of the type {type_}, expected {expected}, which are exported")
        self.model = model
        self.embedders = sorted(token_embedders(model.text_field_embedder).items())
        """The token embedders and their names, in the order of their vectors."""
        self.eval()

    def forward(self, rows: torch.Tensor, mask: torch.Tensor, *inputs: torch.Tensor) -> torch.Tensor:
        """
        Returns scores of tags, shape (B, T, L), arbitrary at padding.

        # Parameters

        rows : `torch.LongTensor`
            Shape (B, T). The row of each token in the inputs.
        mask : `torch.BoolTensor`
            Shape (B, T).
        *inputs : `torch.Tensor`
            For each embedder, in their order, the vectors (N, D) of the N distinct words, the indices of their
            characters (N, C), 0 at padding, or both, where the embedder reads both.
        """
        remaining = iter(inputs)
        vectors = [_word_vectors(embedder, remaining) for _, embedder in self.embedders]
        encoded = self.model.encode(embedding(rows, torch.cat(vectors, -1)), mask)
        return self.model.head(encoded, mask, decode=False)["logits"]


def _word_vectors(embedder: torch.nn.Module, inputs: Iterator[torch.Tensor]) -> torch.Tensor:
    if isinstance(embedder, TokenCharactersEncoder):
        return embedder(next(inputs).unsqueeze(0)).squeeze(0)
    vectors = next(inputs)
    if isinstance(embedder, CharGatedEmbedder) and embedder.character_encoder is not None:
        return embedder.combine(vectors, next(inputs))
    return vectors


def _unknown_parts(name: str, module: torch.nn.Module) -> List[Tuple[str, str]]:
    """Returns the names and types of the outermost parts that cannot be exported."""
    is_known = type(module) in _EXPORTED or isinstance(module, (Activation, InputDropout))
    if not is_known and not type(module).__module__.startswith("torch.nn.modules."):
        return [(name, type(module).__name__)]
    return [found for part, child in module.named_children() for found in _unknown_parts(f"{name}.{part}", child)]


class GraphInput(NamedTuple):
    """
    An input of the graph: vectors of `size` numbers or, if `is_characters`, indices below `size` of `min_length`
    characters or more.
    """

    name: str
    size: int
    is_characters: bool = False
    min_length: int = 0


def write_graph(emissions: Emissions, inputs: List[GraphInput], path: Path) -> None:
    """
    Writes `Emissions` as ONNX, for batches of any size, and compares its scores with those of ONNX Runtime. The inputs
    of the graph are `rows`, `mask` and `inputs`. Raises `ConfigurationError` where a package of the extra `onnx` is
    missing, or the scores differ by more than 1e-4.
    """
    with extra("onnx", ", which exported taggers need"):
        import onnx  # noqa: F401, which torch.onnx asks for
        import onnxruntime
    traced = _example(inputs, num_sentences=2, num_words=5, num_distinct=4, num_characters=7)
    axes = {part.name: {0: "distinct", **({1: "characters"} if part.is_characters else {})} for part in inputs}
    token_axes = {0: "sentences", 1: "words"}
    with warnings.catch_warnings(), torch.no_grad():
        # This exporter is the older one, and cannot know whether sizes are free: the comparison below shows it.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            emissions,
            tuple(traced.values()),
            str(path),
            dynamo=False,
            opset_version=_OPSET,
            input_names=list(traced),
            output_names=["emissions"],
            dynamic_axes={"rows": token_axes, "mask": token_axes, "emissions": token_axes, **axes},
        )
        _store_in_half_precision(path)
        example = _example(inputs, num_sentences=3, num_words=11, num_distinct=6, num_characters=9)
        expected = emissions(*example.values())
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    (found,) = session.run(None, {name: tensor.numpy() for name, tensor in example.items()})
    difference = (torch.from_numpy(found) - expected)[example["mask"]].abs().max().item()
    if not difference <= _TOLERANCE:
        programs = f"ONNX Runtime {onnxruntime.__version__} and PyTorch {torch.__version__}"
        found = f"scores that differ by {difference} between {programs}"
        raise ConfigurationError(f"found {found}, expected {_TOLERANCE} at most")


def in_half_precision(table: NDArray) -> NDArray:
    """Returns a table of numbers in half precision if that is exact, else the table."""
    if table.dtype != numpy.float32:
        return table
    half = table.astype(numpy.float16)
    return half if (half == table).all() else table


def _store_in_half_precision(path: Path) -> None:
    """Rewrites a graph: tables of weights that half precision can hold are stored in it, and cast when it is loaded."""
    import onnx

    graph = onnx.load(path)
    casts = []
    for table in graph.graph.initializer:
        values = in_half_precision(onnx.numpy_helper.to_array(table))
        if values.dtype == numpy.float16 and values.size >= _FEWEST:
            name = f"{table.name}.half"
            casts.append(onnx.helper.make_node("Cast", [name], [table.name], to=onnx.TensorProto.FLOAT))
            table.CopyFrom(onnx.numpy_helper.from_array(values, name))
    nodes = [*casts, *graph.graph.node]
    del graph.graph.node[:]
    graph.graph.node.extend(nodes)
    onnx.save(graph, path)


def _example(
    inputs: List[GraphInput], num_sentences: int, num_words: int, num_distinct: int, num_characters: int
) -> Dict[str, torch.Tensor]:
    """Returns random arguments of `Emissions`, by name, with sentences and words of several lengths."""
    generator = torch.Generator().manual_seed(1)
    lengths = torch.arange(num_words, 0, -1)[:num_sentences]
    example = {
        "rows": torch.randint(num_distinct, (num_sentences, num_words), generator=generator),
        "mask": torch.arange(num_words) < lengths.unsqueeze(1),
    }
    for part in inputs:
        if part.is_characters:
            longest = max(num_characters, part.min_length)
            indices = torch.randint(1, part.size, (num_distinct, longest), generator=generator)
            example[part.name] = indices.tril(longest - num_distinct)
        else:
            example[part.name] = torch.randn(num_distinct, part.size, generator=generator)
    return example
