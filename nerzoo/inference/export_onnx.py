"""Exports taggers: their computation as ONNX, and their vocabularies, tokenizers, vectors and settings."""

import json
import logging
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional

import numpy
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Vocabulary
from allennlp.models import Archive
from allennlp.modules.token_embedders import Embedding
from numpy.typing import NDArray

from nerzoo import archives
from nerzoo.allennlp_private import unknown_index
from nerzoo.archives.exported import save_for_training
from nerzoo.data.parsed_labels import FEATURES
from nerzoo.data.token_indexers.word_forms import UNKNOWN_CAPITALIZED, ZeroDigitsIndexer
from nerzoo.errors import check_choice, in_short
from nerzoo.files import check_is_new, folder_written_whole, write_json, write_text
from nerzoo.formats.lines import AnyPath
from nerzoo.inference.onnx_graph import (
    Emissions,
    Graph,
    GraphInput,
    Reading,
    in_half_precision,
    write_graph,
)
from nerzoo.inference.span_graph import SpanScores
from nerzoo.models.fofe_ner import FofeNer
from nerzoo.modules.token_embedders.char_gated import CharGatedEmbedder
from nerzoo.modules.token_embedders.embedding import FixedEmbedding
from nerzoo.modules.token_embedders.transformer import TransformerEmbedder
from nerzoo.modules.token_embedders.word_forms import LexicalFeaturesEmbedder
from nerzoo.runtime.word_input import FORMAT, SETTINGS, TOKENIZER, TRANSITIONS, TREES
from nerzoo.text.word_forms import NUM_HASHES
from nerzoo.version import __version__

logger = logging.getLogger(__name__)


class ExportedInput(NamedTuple):
    """The settings of a `nerzoo.runtime.word_input.WordInput`, and the tokens of its vocabulary, if it has one."""

    settings: Dict[str, Any]
    vocabulary: Optional[List[str]] = None
    namespace: str = ""


def export_onnx(archive: AnyPath, folder: AnyPath, bits: int = 32) -> Path:
    """
    Exports a tagger or a `fofe_ner`, an archive in any form that `nerzoo.archives.load` takes, into a folder for
    `nerzoo.runtime.OnnxTagger`, which appears when it is whole: the computation of a batch, as ONNX, and vocabularies,
    vectors, transitions and settings. With `bits` of 16, weights are rounded to half precision and
    take half of their size; with 8, LSTMs and products are computed in 8 bits, too. Needs the extra `onnx` of this
    package. Raises `ConfigurationError` where the folder exists, a package of the extra is missing, or the model has a
    part that cannot be exported, which the message names.
    """
    check_is_new(folder)
    check_choice("bits", bits, (8, 16, 32))
    with folder_written_whole(folder) as unfinished:
        loaded = archives.load(archive, "cpu")
        if bits < 32:
            # Computed in single precision all the same: half precision is then enough for the files. In 8 bits, that
            # is for what is not a product, such as the vectors of pieces.
            for parameter in loaded.model.parameters():
                parameter.data = parameter.data.half().float()
        try:
            _export(loaded, unfinished, bits == 8)
        except ConfigurationError as error:
            raise ConfigurationError(f"{archive}: {error}") from None
    return Path(folder)


def export_loaded(loaded: Archive, folder: Path) -> None:
    """Exports an archive that is loaded on the CPU, with the errors of `export_onnx` for its model."""
    with folder_written_whole(folder) as unfinished:
        _export(loaded, unfinished)


def _export(loaded: Archive, folder: Path, quantized: bool = False) -> None:
    config = loaded.config.as_dict(quiet=True)
    reader_config = config.get("validation_dataset_reader") or config["dataset_reader"]
    indexers = reader_config.get("token_indexers") or {"tokens": "single_id"}
    model = loaded.model
    labels = [name for name, indexer in indexers.items() if _annotation(indexer)]
    graph: Graph = SpanScores(model, labels) if isinstance(model, FofeNer) else Emissions(model, labels)
    reader: Any = loaded.validation_dataset_reader
    if type(reader) is not DatasetReader.by_name(graph.reader):
        raise ConfigurationError(f"found the reader {type(reader).__name__}, expected {graph.reader}")
    if reader_config.get("character_level"):
        raise ConfigurationError("found a reader of characters as tokens, expected one of words, which is exported")
    if config["model"].get("extra_outputs"):
        names = ", ".join(config["model"]["extra_outputs"])
        logger.warning("%s: left out the extra outputs %s of the model", folder, names)
    if reader_config.pop("parser", None) is not None:
        logger.warning("%s: left out the parser: sentences come with what it finds", folder)
    parts = [
        (part, reading)
        for reading in graph.readings
        for part in _inputs_read(exported_inputs(reading.name, indexers[reading.indexer], model.vocab), reading.module)
    ]
    inputs = [_write_input(part, reading, reader.token_indexers, folder) for part, reading in parts]
    if graph.reads_trees:
        inputs.append(GraphInput(TREES, kind="trees"))
    if isinstance(graph, Emissions):
        numpy.save(folder / TRANSITIONS, graph.model.head.distribution.transition_scores().numpy())
    _write_graph(graph, inputs, folder, quantized)
    settings = {
        "format": FORMAT,
        "nerzoo": __version__,
        **graph.settings,
        "splitter": reader.splitter,
        "inputs": [part.settings for part, _ in parts],
    }
    write_json(folder / SETTINGS, settings)
    pieces = (part for part in parts if part[0].settings["type"] == "pieces")
    transformer = next((_transformer(reader.token_indexers, *part) for part in pieces), None)
    vocabularies = {part.namespace: part.settings["name"] for part, _ in parts if part.vocabulary is not None}
    looked_up = {
        f"{prefix}.": part.settings["name"]
        for prefix, module in model.named_modules()
        for part, reading in parts
        if part.settings["type"] != "labels"
        and module is getattr(reading.module, "word_embedding", reading.module)
        and _is_looked_up(module)
    }
    save_for_training(
        folder,
        {**config, "dataset_reader": reader_config},
        model.state_dict(),
        vocabularies,
        looked_up,
        transformer,
    )
    archives.write_checksums(folder, sorted(folder.iterdir()))


def _inputs_read(inputs: List[ExportedInput], module: Any) -> List[ExportedInput]:
    """Returns the inputs of a token indexer that a module reads: without an encoder of characters, only the words."""
    return inputs[:1] if isinstance(module, CharGatedEmbedder) and module.character_encoder is None else inputs


def _write_input(part: ExportedInput, reading: Reading, indexers: Dict[str, Any], folder: Path) -> GraphInput:
    """Writes the vocabulary and the tokenizer or the vectors of an input, and returns what the graph reads of it."""
    settings = part.settings
    name, kind = settings["name"], settings["type"]
    if part.vocabulary is not None:
        text = json.dumps(part.vocabulary, ensure_ascii=False, separators=(",", ":"))
        write_text(folder / f"{name}.vocabulary.json", text)
    if kind == "pieces":
        encoder = _transformer_indexer(indexers[reading.indexer]).transformer
        encoder.tokenizer.save(str(folder / f"{name}.{TOKENIZER}"))
        settings["prefix"], settings["suffix"] = encoder.special_pieces()
        settings["window"] = reading.module.window
        return GraphInput(name, encoder.config.vocab_size, kind, windows=settings, transformer=reading.module)
    if kind.endswith("characters"):
        size = NUM_HASHES + 1 if part.vocabulary is None else len(part.vocabulary)
        return GraphInput(name, size, "characters", settings["min_length"])
    if kind == "labels":
        return GraphInput(name, reading.module.num_embeddings, kind)
    tables = vector_tables(reading.module)
    for suffix, table in tables.items():
        numpy.save(folder / f"{name}{suffix}.npy", in_half_precision(table))
    # In 4 bits, a byte has two numbers.
    return GraphInput(name, tables[""].shape[1] * (2 if tables[""].dtype == numpy.uint8 else 1))


def _transformer_indexer(indexer: Any) -> Any:
    return indexer.indexer if isinstance(indexer, ZeroDigitsIndexer) else indexer


def _transformer(indexers: Dict[str, Any], part: ExportedInput, reading: Reading) -> Dict[str, Any]:
    """Returns what `save_for_training` keeps of a transformer."""
    indexer = _transformer_indexer(indexers[reading.indexer])
    config = indexer.transformer.config.to_diff_dict()
    return {"model_name": indexer.model_name, "config": config, "input": part.settings["name"]}


def _write_graph(graph: Graph, inputs: List[GraphInput], folder: Path, quantized: bool) -> None:
    """Writes a graph as `write_graph` does; a transformer that cannot be exported is a `ConfigurationError`, too."""
    encoders = [part.encoder for part in graph.modules() if isinstance(part, TransformerEmbedder)]
    size = sum(weights.nbytes for encoder in encoders for weights in encoder.parameters())
    if size > _MAX_SIZE:
        found = f"a transformer of {size:,} bytes"
        raise ConfigurationError(f"found {found}, expected {_MAX_SIZE:,} at most, which a file of ONNX holds")
    try:
        write_graph(graph, inputs, folder, quantized)
    except ConfigurationError:
        raise
    except Exception as error:
        # All other parts are known to be exported.
        if not encoders:
            raise
        refused = f"the transformer {type(encoders[0]).__name__}, which cannot be exported ({in_short(error)})"
        raise ConfigurationError(f"found {refused}, expected another architecture") from error


def _is_looked_up(embedder: torch.nn.Module) -> bool:
    """`True` if the tables of an embedder are its weights as they are."""
    if isinstance(embedder, FixedEmbedding):
        return True
    return isinstance(embedder, Embedding) and numpy.array_equal(vector_tables(embedder)[""], embedder.weight.detach())


@torch.no_grad()
def vector_tables(embedder: torch.nn.Module) -> Dict[str, NDArray]:
    """
    Returns the vectors that an embedder looks up, by the suffixes of their files: one table, or, where some vectors are
    fixed, a table of these, their scales if they are in 8 or 4 bits, the trained vectors, and their words.
    """
    if isinstance(embedder, CharGatedEmbedder):
        return vector_tables(embedder.word_embedding)
    if isinstance(embedder, FixedEmbedding):
        # Words with trained vectors, in the order of their rows, which begin with 1.
        words = embedder.rows.argsort()[len(embedder.rows) - len(embedder.trained) + 1 :]
        tables = {"": embedder.fixed, ".trained": embedder.trained, ".words": words.int()}
        if hasattr(embedder, "scales"):
            tables[".scales"] = embedder.scales
        return {name: table.numpy() for name, table in tables.items()}
    weight: Any = embedder.table if isinstance(embedder, LexicalFeaturesEmbedder) else embedder.weight
    # The embedder may project the vectors.
    return {"": embedder(torch.arange(len(weight))).numpy()}


_MAX_SIZE = 2_000_000_000
_INDEXERS: Dict[str, Dict[str, Any]] = {
    "single_id": {"namespace": "tokens", "lowercase_tokens": False},
    "cased_unknown": {"namespace": "tokens"},
    "characters": {"namespace": "token_characters", "min_padding_length": 0},
    "cached_characters": {"namespace": "token_characters", "min_padding_length": 0},
    "hashed_characters": {"min_padding_length": 1},
    "lexical_features": {},
    "transformer": {"model_name": None},
    "word_characters": {
        "namespace": "tokens",
        "character_namespace": "token_characters",
        "lowercase_words": False,
        "zero_digits": False,
        "max_word_length": 500,
        "min_padding_length": 1,
    },
    "zero_digits": {"indexer": None},
}
"""The token indexers that can be exported, by type, with their options and defaults."""


def exported_inputs(name: str, indexer: Any, vocab: Vocabulary) -> List[ExportedInput]:
    """
    Returns the inputs for a token indexer, given its name and its configuration: for `word_characters` words and their
    characters, for any other one a single input. Raises `ConfigurationError` where it or one of its options cannot be
    exported.
    """
    given = dict(indexer) if isinstance(indexer, dict) else {"type": indexer}
    type_ = given.pop("type", "single_id")
    if type_ not in _INDEXERS:
        found = f"the token indexer {name!r} of the type {type_}"
        raise ConfigurationError(f"found {found}, expected one of {', '.join(_INDEXERS)}")
    # Predictions do not depend on the amount of padding.
    given.pop("token_min_padding_length", None)
    annotation = _annotation(indexer)
    if annotation is not None:
        del given["feature_name"]
    for option in given:
        if option not in _INDEXERS[type_]:
            found = f"the option {option} of the token indexer {name!r} of the type {type_}"
            known = f" but {', '.join(_INDEXERS[type_])}" if _INDEXERS[type_] else ""
            raise ConfigurationError(f"found {found}, expected no options{known}")
    options = {**_INDEXERS[type_], **given}
    namespace, min_length = options.get("namespace", ""), options.get("min_padding_length")
    if type_ == "zero_digits":
        inputs = exported_inputs(name, options["indexer"], vocab)
    elif annotation is not None:
        inputs = [_input(name, "labels", vocab, namespace, annotation=annotation)]
    elif type_ == "lexical_features":
        inputs = [_input(name, type_)]
    elif type_ == "transformer":
        inputs = [_input(name, "pieces")]
    elif type_ == "hashed_characters":
        inputs = [_input(name, type_, min_length=min_length, max_length=None)]
    elif type_ in ("characters", "cached_characters"):
        inputs = [_input(name, "characters", vocab, namespace, min_length=min_length, max_length=None)]
    else:
        lowercase = options.get("lowercase_tokens", False) or options.get("lowercase_words", False)
        is_cased = type_ == "cased_unknown"
        capitalized = vocab.get_token_index(UNKNOWN_CAPITALIZED, namespace) if is_cased else None
        inputs = [_input(name, "words", vocab, namespace, lowercase=lowercase, unknown_capitalized=capitalized)]
    if type_ == "word_characters":
        lengths = {"min_length": min_length, "max_length": options["max_word_length"]}
        inputs.append(_input(f"{name}.characters", "characters", vocab, options["character_namespace"], **lengths))
    if type_ == "zero_digits" or options.get("zero_digits"):
        for part in inputs:
            part.settings["zero_digits"] = True
    return inputs


def _annotation(indexer: Any) -> Optional[str]:
    """Returns the annotation that the configuration of a token indexer reads in place of words, if it reads one."""
    is_single = isinstance(indexer, dict) and indexer.get("type", "single_id") == "single_id"
    return FEATURES.get(indexer.get("feature_name")) if is_single else None


def _input(
    name: str, type_: str, vocab: Optional[Vocabulary] = None, namespace: str = "", **settings: Any
) -> ExportedInput:
    settings = {"name": name, "type": type_, "zero_digits": False, **settings}
    if vocab is None:
        return ExportedInput(settings)
    tokens = vocab.get_index_to_token_vocabulary(namespace)
    settings["unknown"] = unknown_index(vocab, namespace)
    return ExportedInput(settings, [tokens[index] for index in range(len(tokens))], namespace)
