"""The computation of a tagger as a graph of ONNX."""

import logging
import warnings
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, Collection, Dict, Iterator, List, Mapping, NamedTuple, Optional, Tuple

import numpy
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules import FeedForward, InputVariationalDropout, TimeDistributed
from allennlp.modules.seq2seq_encoders import PassThroughEncoder
from allennlp.modules.seq2vec_encoders import CnnEncoder
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from allennlp.modules.token_embedders import Embedding, PassThroughTokenEmbedder, TokenCharactersEncoder
from allennlp.nn import Activation
from numpy.typing import NDArray
from torch.nn.functional import embedding

from nerzoo.allennlp_private import token_embedders
from nerzoo.errors import extra
from nerzoo.models.fofe_ner import FofeNer
from nerzoo.models.heads.seq2biseq import GruLabelDecoder, Seq2BiseqHead
from nerzoo.models.heads.tag_head import ProjectionHead
from nerzoo.models.memory_tagger import MemoryTagger
from nerzoo.models.sequence_tagger import Seq2Biseq, SequenceTagger
from nerzoo.modules.dropout import FastDropout, InputDropout
from nerzoo.modules.seq2seq_encoders.attention import GlobalAttention, RelativeAttention
from nerzoo.modules.seq2seq_encoders.bidirectional import BiGru, BiLstm, Lstm
from nerzoo.modules.seq2seq_encoders.convolution import Convolution
from nerzoo.modules.seq2seq_encoders.dependency_aware import DependencyAwareEncoder, Sublayer
from nerzoo.modules.seq2seq_encoders.memory import MemoryEncoder, RecurrentMemory
from nerzoo.modules.seq2seq_encoders.tree_lstm import ChildSumTreeLstm, TreeEncoder
from nerzoo.modules.seq2vec_encoders.fofe import FofeSeq2VecEncoder
from nerzoo.modules.seq2vec_encoders.recurrent import BiLstmSeq2VecEncoder, SummedGru
from nerzoo.modules.span_features.characters import CharacterCnn, FofeCharacters
from nerzoo.modules.span_features.span_features import SpanFeatures
from nerzoo.modules.span_features.words import BoundaryWords, FofeWords
from nerzoo.modules.span_filter import SpanFilter
from nerzoo.modules.tag_distributions import ConditionalRandomField, SoftmaxDistribution
from nerzoo.modules.token_embedders.char_gated import CharGatedEmbedder
from nerzoo.modules.token_embedders.embedding import Embedding as FileEmbedding, FixedEmbedding
from nerzoo.modules.token_embedders.transformer import TransformerEmbedder
from nerzoo.modules.token_embedders.word_forms import (
    DistinctCharactersEncoder,
    FofeEmbedder,
    LexicalFeaturesEmbedder,
)
from nerzoo.nn.trees import TreeLevels
from nerzoo.runtime.onnx_tagger import load_encoder, load_graph
from nerzoo.runtime.word_input import EMISSIONS, ENCODER, Encode, Pieces, encoded, tree_inputs

# The types of modules that the graph computes as PyTorch does.
_EXPORTED = (
    BasicTextFieldEmbedder,
    BiGru,
    BiLstm,
    BiLstmSeq2VecEncoder,
    BoundaryWords,
    CharGatedEmbedder,
    CharacterCnn,
    ChildSumTreeLstm,
    CnnEncoder,
    ConditionalRandomField,
    Convolution,
    DependencyAwareEncoder,
    DistinctCharactersEncoder,
    Embedding,
    FeedForward,
    FastDropout,
    FileEmbedding,
    FixedEmbedding,
    FofeCharacters,
    FofeEmbedder,
    FofeNer,
    FofeSeq2VecEncoder,
    FofeWords,
    GlobalAttention,
    GruLabelDecoder,
    InputVariationalDropout,
    LexicalFeaturesEmbedder,
    Lstm,
    MemoryEncoder,
    MemoryTagger,
    PassThroughEncoder,
    PassThroughTokenEmbedder,
    ProjectionHead,
    RecurrentMemory,
    RelativeAttention,
    Seq2Biseq,
    Seq2BiseqHead,
    SequenceTagger,
    SoftmaxDistribution,
    SpanFilter,
    Sublayer,
    SummedGru,
    TimeDistributed,
    TokenCharactersEncoder,
)

_OPSET = 17
_TOLERANCE = 1e-4
_FEWEST = 1024
"""Smaller tables of weights stay as they are."""


class Reading(NamedTuple):
    """Inputs of a graph that come from words: their name, the token indexer, and the module that reads its indices."""

    name: str
    indexer: str
    module: Any


class Graph(torch.nn.Module):
    """
    The scores that a model gives, as one function of tensors without a condition on data. Its inputs are vectors and
    characters of the distinct words of a batch: tables of vectors, of any size, are not part of it, nor the encoders of
    transformers, which have graphs of their own. The embedders of `labels` are, the token indexers of annotation such
    as parts of speech. Raises `ConfigurationError` where the model has a part that cannot be exported, which the
    message names.
    """

    reader: str
    """The registered name of the dataset reader that a model of this kind has."""
    readings: List[Reading]
    """Its inputs from words, in order."""
    reads_trees = False
    """`True` if an encoder reads dependency trees."""

    def __init__(self, model: Any, labels: Collection[str] = ()) -> None:
        super().__init__()
        for name, type_ in _unknown_parts("model", model):
            expected = "a tagger or fofe_ner that reads words by bilstm, cnn, convolution, dependency_aware, memory_hop"
            raise ConfigurationError(f"found {name} of the type {type_}, expected {expected}, which are exported")
        self.model = model
        self._labels = labels
        self.eval()

    @property
    def settings(self) -> Dict[str, Any]:
        """The settings that `OnnxTagger` decodes scores with."""
        raise NotImplementedError

    def forward(self, rows: torch.Tensor, mask: torch.Tensor, *inputs: torch.Tensor) -> torch.Tensor:
        """
        Returns scores (B, T, ...), arbitrary at padding, given `rows` (B, T), the row of each token in the inputs, and
        `mask` (B, T). The inputs are for each reading, in their order, the vectors (N, D) of the N distinct words, the
        indices of their characters (N, C), 0 at padding, or both, where the embedder reads both; for a transformer, the
        four arguments of `TransformerEmbedder.pool`; for labels, their indices (B, T). Last come heads (B, T) and the
        parts of `TreeLevels`, where the encoder reads trees.
        """
        raise NotImplementedError

    def read(self, rows: torch.Tensor, remaining: Iterator[torch.Tensor]) -> Dict[str, torch.Tensor]:
        """Returns what each reading gives for words: vectors (B, T, D), or indices of characters (B, T, C)."""
        return {name: self._words(indexer, module, rows, remaining) for name, indexer, module in self.readings}

    def _words(self, indexer: str, module: Any, rows: torch.Tensor, remaining: Iterator[torch.Tensor]) -> torch.Tensor:
        if isinstance(module, SpanFeatures):
            return next(remaining)[rows]
        if isinstance(module, TransformerEmbedder):
            return module.pool(*islice(remaining, 4))
        if indexer in self._labels:
            return module(next(remaining))
        return embedding(rows, _word_vectors(module, remaining))


class Emissions(Graph):
    """The scores (B, T, L) that a `SequenceTagger` or a `MemoryTagger` gives to tags."""

    def __init__(self, model: Any, labels: Collection[str] = ()) -> None:
        super().__init__(model, labels)
        self.reader = "tagged_documents" if isinstance(model, MemoryTagger) else "tagged_sentences"
        context = getattr(model.encoder, "context", ())
        self.reads_trees = context == TreeEncoder.context and isinstance(model, SequenceTagger)
        if context and not self.reads_trees:
            found = f"model.encoder, which reads {', '.join(context)}"
            raise ConfigurationError(f"found {found}, expected one that reads words, or trees of sentences")
        if model.head.min_probability:
            found = f"model.head.min_probability {model.head.min_probability:g}"
            raise ConfigurationError(f"found {found}, expected 0: a threshold is not exported")
        self._decodes = isinstance(model.head, Seq2BiseqHead)
        if self._decodes and model.head.beam_size > 1:
            raise ConfigurationError(
                f"found model.head.beam_size {model.head.beam_size}, expected 1, which is exported"
            )
        embedders = sorted(token_embedders(model.text_field_embedder).items())
        self.readings = [Reading(name, name, embedder) for name, embedder in embedders]

    @property
    def settings(self) -> Dict[str, Any]:
        head = self.model.head
        tags = self.model.vocab.get_index_to_token_vocabulary(head.label_namespace)
        return {
            "tags": [tags[index] for index in range(len(tags))],
            "coding_scheme": head.coding_scheme,
            "documents": isinstance(self.model, MemoryTagger),
            "trees": self.reads_trees,
            "decoders": self._decodes,
            "temperature": head.temperature,
        }

    def forward(self, rows: torch.Tensor, mask: torch.Tensor, *inputs: torch.Tensor) -> torch.Tensor:
        remaining = iter(inputs)
        vectors = [*self.read(rows, remaining).values()]
        context: Dict[str, Any] = {}
        if self.reads_trees:
            heads, order, parent, parent_in_level, sizes = remaining
            # A graph counts the levels when it runs.
            num_words: Any = sizes if torch.onnx.is_in_onnx_export() else sizes.tolist()
            context = {"heads": heads, "levels": TreeLevels(order, parent, parent_in_level, num_words)}
        encoded = self.model.encode(torch.cat(vectors, -1), mask, **context)
        # The scores of a decoder depend on the tags that it has found.
        return self.model.head(encoded, mask, decode=self._decodes)["logits"]


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
    # The exporter itself refuses an encoder that it cannot export.
    if isinstance(module, TransformerEmbedder):
        return []
    if not is_known and not type(module).__module__.startswith("torch.nn.modules."):
        return [(name, type(module).__name__)]
    return [found for part, child in module.named_children() for found in _unknown_parts(f"{name}.{part}", child)]


class GraphInput(NamedTuple):
    """
    An input of the graph, by its `kind`: `"vectors"` of `size` numbers; indices below `size` of `min_length`
    `"characters"` or more, or of the `"labels"` of words; those of `"trees"`; or those of `"pieces"`, with the settings
    of `nerzoo.runtime.word_input.encoded`, and the transformer that encodes them.
    """

    name: str
    size: int = 0
    kind: str = "vectors"
    min_length: int = 0
    windows: Mapping[str, Any] = MappingProxyType({})
    transformer: Optional[TransformerEmbedder] = None


class _Encoder(torch.nn.Module):
    """The states (R, W, D) that a transformer gives to the pieces (R, W) of windows, -1 at padding."""

    def __init__(self, transformer: TransformerEmbedder) -> None:
        super().__init__()
        self.transformer = transformer.eval()

    def forward(self, pieces: torch.Tensor) -> torch.Tensor:
        return self.transformer.encode(pieces)


@torch.no_grad()
def write_graph(graph: Graph, inputs: List[GraphInput], folder: Path, quantized: bool = False) -> None:
    """
    Writes a `Graph` and the encoders of its transformers as ONNX, for batches of any size, and compares the scores with
    those of ONNX Runtime. The inputs of the graph are `rows`, `mask` and `inputs`. If `quantized`, LSTMs and products
    then compute in 8 bits. Raises `ConfigurationError` where a package of the extra `onnx` is missing, or the scores
    differ by more than 1e-4.
    """
    with extra("onnx", ", which exported taggers need"):
        import onnx  # noqa: F401, which torch.onnx asks for
        import onnxruntime
    encoders = {part.name: _Encoder(part.transformer) for part in inputs if part.transformer is not None}
    paths = {name: folder / f"{name}.{ENCODER}" for name in encoders}
    for name, encoder in encoders.items():
        _trace(encoder, {"pieces": torch.tensor([[1, 1, 1], [1, 1, -1]])}, "states", "pieces", paths[name])
    in_pytorch = {name: _encode_in_pytorch(encoder) for name, encoder in encoders.items()}
    traced = _example(inputs, in_pytorch, num_sentences=2, num_words=5, num_distinct=4, num_characters=7)
    _trace(graph, traced, "emissions", "mask", folder / EMISSIONS)
    # More words than a memory reads at once.
    sizes = {"num_sentences": 3, "num_words": 300, "num_distinct": 6, "num_characters": 9}
    example = _example(inputs, in_pytorch, **sizes)
    expected = graph(*example.values())
    arguments = _example(inputs, {name: load_encoder(path) for name, path in paths.items()}, **sizes)
    session = load_graph(folder / EMISSIONS)
    (scores,) = session.run(None, {part.name: arguments[part.name].numpy() for part in session.get_inputs()})
    difference = (torch.from_numpy(scores) - expected)[example["mask"]].abs().max().item()
    if not difference <= _TOLERANCE:
        programs = f"ONNX Runtime {onnxruntime.__version__} and PyTorch {torch.__version__}"
        found = f"scores that differ by {difference} between {programs}"
        raise ConfigurationError(f"found {found}, expected {_TOLERANCE} at most")
    for path in [folder / EMISSIONS, *paths.values()]:
        if quantized:
            _quantize(path, bool(encoders))
        _store_in_half_precision(path)


def _trace(module: torch.nn.Module, arguments: Dict[str, torch.Tensor], output: str, like: str, path: Path) -> None:
    """Writes a module as ONNX. Its output has the first two axes of the argument `like`."""
    # All sizes are free but those of vectors.
    axes = {
        name: {axis: f"{name}.{axis}" for axis in range(1 if tensor.is_floating_point() else tensor.dim())}
        for name, tensor in arguments.items()
    }
    with warnings.catch_warnings():
        # This exporter is the older one, and cannot know whether sizes are free: a comparison shows it.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            module,
            tuple(arguments.values()),
            str(path),
            dynamo=False,
            opset_version=_OPSET,
            input_names=list(arguments),
            output_names=[output],
            dynamic_axes={**axes, output: axes[like]},
        )


def _encode_in_pytorch(encoder: _Encoder) -> Encode:
    return lambda pieces: encoder(torch.from_numpy(pieces)).numpy()


def in_half_precision(table: NDArray) -> NDArray:
    """Returns a table of numbers in half precision if that is exact, else the table."""
    if table.dtype != numpy.float32:
        return table
    half = table.astype(numpy.float16)
    return half if (half == table).all() else table


def _quantize(path: Path, per_channel: bool) -> None:
    """
    Rewrites a graph: the weights of LSTMs and products are in 8 bits, and their inputs are rounded at run time. Weights
    have a scale or, `per_channel`, one for each of their outputs: in a transformer these differ much. They then have 7
    bits, because sums of products of 8 bits overflow on processors without VNNI.
    """
    from onnxruntime.quantization import QuantType, quantize_dynamic

    level = logging.root.level
    # It advises to infer shapes first, which are free here.
    logging.root.setLevel(logging.ERROR)
    try:
        quantize_dynamic(
            path, path, ["LSTM", "MatMul", "Gemm"], per_channel, reduce_range=per_channel, weight_type=QuantType.QInt8
        )
    finally:
        logging.root.setLevel(level)


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
    inputs: List[GraphInput],
    encode: Mapping[str, Encode],
    num_sentences: int,
    num_words: int,
    num_distinct: int,
    num_characters: int,
) -> Dict[str, torch.Tensor]:
    """
    Returns random arguments of a `Graph`, by name, with sentences and words of several lengths; `encode` has the
    encoders of transformers by name.
    """
    generator = torch.Generator().manual_seed(1)
    lengths = torch.arange(num_words, 0, -1)[:num_sentences]
    example = {
        "rows": torch.randint(num_distinct, (num_sentences, num_words), generator=generator),
        "mask": torch.arange(num_words) < lengths.unsqueeze(1),
    }
    for part in inputs:
        if part.kind == "pieces":
            counts = torch.randint(3, (num_sentences, num_words), generator=generator) * example["mask"]
            texts = [
                Pieces(torch.randint(part.size, (int(row.sum()),), generator=generator).tolist(), row.numpy())
                for row in counts
            ]
            arrays = encoded(part.windows, texts, encode[part.name])
            example.update((name, torch.from_numpy(array)) for name, array in arrays.items())
        elif part.kind == "trees":
            # Each word hangs on an earlier one, or is a root.
            heads = (torch.rand(num_sentences, num_words, generator=generator) * torch.arange(num_words)).long()
            arrays = tree_inputs([row[:length].tolist() for row, length in zip(heads, lengths, strict=True)])
            example.update((name, torch.from_numpy(array)) for name, array in arrays.items())
        elif part.kind == "labels":
            example[part.name] = torch.randint(part.size, (num_sentences, num_words), generator=generator)
        elif part.kind == "characters":
            longest = max(num_characters, part.min_length)
            indices = torch.randint(1, part.size, (num_distinct, longest), generator=generator)
            example[part.name] = indices.tril(longest - num_distinct)
        else:
            example[part.name] = torch.randn(num_distinct, part.size, generator=generator)
    return example
