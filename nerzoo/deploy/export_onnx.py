import logging
from os import PathLike
from pathlib import Path
from typing import Any, Dict, Iterator, Tuple, Union

import numpy
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.models import Archive
from numpy.typing import NDArray

from nerzoo import archives
from nerzoo.data.dataset_readers.tagging import TaggedSentencesReader
from nerzoo.deploy.emissions import Emissions, GraphInput, write_graph
from nerzoo.deploy.exported_inputs import ExportedInput, exported_inputs
from nerzoo.files import check_is_new, folder_written_whole, write_json
from nerzoo.modules.token_embedders.char_gated import CharGatedEmbedder
from nerzoo.modules.token_embedders.embedding import FixedEmbedding
from nerzoo.modules.token_embedders.word_forms import LexicalFeaturesEmbedder
from nerzoo.runtime.word_input import EMISSIONS, FORMAT, SETTINGS, TRANSITIONS
from nerzoo.text.word_forms import NUM_HASHES
from nerzoo.version import __version__


@torch.no_grad()
def vector_tables(embedder: torch.nn.Module) -> Dict[str, NDArray]:
    """
    Returns the vectors that an embedder looks up, by the ends of the names of their files: one table, or, where some
    vectors are fixed, those in half precision, the trained ones, and the rows of words in the latter.
    """
    if isinstance(embedder, CharGatedEmbedder):
        return vector_tables(embedder.word_embedding)
    if isinstance(embedder, FixedEmbedding):
        tables = {"": embedder.fixed, ".trained": embedder.trained, ".rows": embedder.rows.int()}
        return {name: table.numpy() for name, table in tables.items()}
    weight: Any = embedder.table if isinstance(embedder, LexicalFeaturesEmbedder) else embedder.weight
    # Through the embedder, which may project what it looks up.
    return {"": embedder(torch.arange(len(weight))).numpy()}


logger = logging.getLogger(__name__)


def export_onnx(archive: Union[str, PathLike], folder: Union[str, PathLike]) -> Path:
    """
    Exports a tagger of words and characters for `nerzoo.runtime.OnnxTagger`: what it computes of a batch, as ONNX, and
    beside that vocabularies, vectors, transitions and settings. Needs the extra `onnx` of this package.

    # Parameters

    archive : `Union[str, PathLike]`
        In any form that `nerzoo.archives.load` takes.
    folder : `Union[str, PathLike]`
        The folder to make; it appears when it is whole.

    # Returns

    `Path`
        The folder.

    # Raises

    `ConfigurationError` where the folder exists, a package of the extra is missing, or the model has a part that cannot
    be exported, which is named.
    """
    check_is_new(folder)
    with folder_written_whole(folder) as unfinished:
        loaded = archives.load(archive, "cpu")
        try:
            _export(loaded, unfinished)
        except ConfigurationError as error:
            raise ConfigurationError(f"{archive}: {error}") from None
    return Path(folder)


def _export(loaded: Archive, folder: Path) -> None:
    emissions = Emissions(loaded.model)
    reader = loaded.validation_dataset_reader
    if type(reader) is not TaggedSentencesReader:
        raise ConfigurationError(f"found the reader {type(reader).__name__}, expected tagged_sentences")
    config = loaded.config.as_dict(quiet=True)
    extra_outputs = config["model"].get("extra_outputs")
    if extra_outputs:
        logger.warning("%s: left out the extra outputs %s of the model", folder, ", ".join(extra_outputs))
    parts = list(_parts(config, loaded.model.vocab, emissions))
    head = emissions.model.head
    inputs = []
    for exported, embedder in parts:
        if exported.vocabulary is not None:
            write_json(folder / f"{exported.name}.vocabulary.json", exported.vocabulary)
        if exported.is_characters:
            size = NUM_HASHES + 1 if exported.vocabulary is None else len(exported.vocabulary)
            inputs.append(GraphInput(exported.name, size, True, exported.settings["min_length"]))
            continue
        tables = vector_tables(embedder)
        for suffix, table in tables.items():
            numpy.save(folder / f"{exported.name}{suffix}.npy", table)
        inputs.append(GraphInput(exported.name, tables[""].shape[1]))
    numpy.save(folder / TRANSITIONS, head.distribution.transition_scores().numpy())
    write_graph(emissions, inputs, folder / EMISSIONS)
    tags = loaded.model.vocab.get_index_to_token_vocabulary(head.label_namespace)
    settings = {
        "format": FORMAT,
        "nerzoo": __version__,
        "tags": [tags[index] for index in range(len(tags))],
        "coding_scheme": head.coding_scheme,
        "temperature": head.temperature,
        "inputs": [exported.settings for exported, _ in parts],
    }
    write_json(folder / SETTINGS, settings)
    archives.write_checksums(folder, sorted(folder.iterdir()))


def _parts(
    config: Dict[str, Any], vocab: Vocabulary, emissions: Emissions
) -> Iterator[Tuple[ExportedInput, torch.nn.Module]]:
    """Yields what is read of words, in the order in which the embedders read it, and the embedder that reads it."""
    reader = config.get("validation_dataset_reader") or config["dataset_reader"]
    indexers = reader.get("token_indexers") or {"tokens": "single_id"}
    for name, embedder in emissions.embedders:
        inputs = exported_inputs(name, indexers[name], vocab)
        if isinstance(embedder, CharGatedEmbedder) and embedder.character_encoder is None:
            # Of words and characters it reads words alone.
            inputs = inputs[:1]
        for exported in inputs:
            yield exported, embedder
