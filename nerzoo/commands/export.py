"""
The `export-onnx` subcommand exports a tagger for programs without PyTorch and AllenNLP:

    allennlp export-onnx ARCHIVE FOLDER

`nerzoo.runtime.onnx_tagger.OnnxTagger` and `python -m nerzoo.runtime` predict with the folder.

The `export-vectors` subcommand writes the word vectors that a model has learned, in the text format that
`pretrained_file` of AllenNLP's `embedding` reads:

    allennlp export-vectors ARCHIVE VECTORS.txt.gz --include-package nerzoo
"""

import argparse
import gzip
import logging
from pathlib import Path
from typing import Dict, Optional, Tuple

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError
from allennlp.models import Model
from allennlp.modules.token_embedders import Embedding

from nerzoo import archives
from nerzoo.allennlp_private import SubParsers, embedding_namespace, padding_token
from nerzoo.deploy.export_onnx import export_onnx
from nerzoo.files import check_is_new, written_whole


@Subcommand.register("export-onnx")
class ExportOnnx(Subcommand):
    """Exports a tagger of words and characters."""

    def add_subparser(self, parser: SubParsers) -> argparse.ArgumentParser:
        description = (
            "Export a tagger of words and characters, without trees, for nerzoo.runtime, which predicts with NumPy and "
            "ONNX Runtime alone. Needs the extra onnx."
        )
        subparser = parser.add_parser(self.name, description=description, help="Export a tagger as ONNX.")
        subparser.add_argument("archive_file", type=str, help="path to an archive, or to the folder of a training")
        subparser.add_argument("folder", type=str, help="the folder to make, a new one")
        subparser.set_defaults(func=_export_onnx_from_args)
        return subparser


def _export_onnx_from_args(args: argparse.Namespace) -> Path:
    folder = export_onnx(args.archive_file, args.folder)
    size = sum(file.stat().st_size for file in folder.iterdir())
    print(f"{folder}: {size / 1e6:.1f} MB", flush=True)
    return folder


logger = logging.getLogger(__name__)


@Subcommand.register("export-vectors")
class ExportVectors(Subcommand):
    """Writes the vectors of any `embedding` of any model, with the words of its vocabulary."""

    def add_subparser(self, parser: SubParsers) -> argparse.ArgumentParser:
        description = "Write the word vectors of a trained model to a text file for `pretrained_file`."
        subparser = parser.add_parser(self.name, description=description, help="Export a model's word vectors.")
        subparser.add_argument("archive_file", type=str, help="path to the archive of a trained model")
        subparser.add_argument("output_file", type=str, help="path of the file to write; gzipped if it ends in .gz")
        subparser.add_argument(
            "--embedding",
            type=str,
            help="the module with the vectors, such as text_field_embedder.token_embedder_tokens; needed where there "
            "are several",
        )
        subparser.set_defaults(func=_export_vectors_from_args)
        return subparser


def _export_vectors_from_args(args: argparse.Namespace) -> None:
    export_vectors(args.archive_file, args.output_file, args.embedding)


def export_vectors(archive_file: str, output_file: str, embedding: Optional[str] = None) -> None:
    """
    Writes a line for each word of the vocabulary, in its order: the word, and its vector, with as many digits as it
    takes to read the same numbers again. Before them a line has the number of vectors and their size, as word2vec
    writes it and AllenNLP reads it. The padding token has no vector; the token for unknown words has one, under the
    name that it has in the vocabulary. Words with white space and the empty word, which no such line can hold, are left
    out and counted in a warning.

    # Parameters

    archive_file : `str`
        A path or a URL.
    output_file : `str`
    embedding : `str`, optional (default = the only one)
        The name of an `Embedding` among the modules of the model.

    # Raises

    `ConfigurationError` where there is no such embedding, there are several to choose from, or the output exists.
    """
    check_is_new(output_file)
    model = archives.load(archive_file, "cpu").model
    vectors, namespace = _embedding(model, embedding, archive_file)
    words = model.vocab.get_index_to_token_vocabulary(namespace)
    rows = vectors.weight.detach()
    words = {index: word for index, word in words.items() if word != padding_token(model.vocab)}
    # White space of any kind, since other programs than AllenNLP divide a line at any.
    written = {index: word for index, word in words.items() if word.split() == [word]}
    if len(written) < len(words):
        number = len(words) - len(written)
        logger.warning("%s: left out %d words that are empty or have white space", output_file, number)
    opened = gzip.open if output_file.endswith(".gz") else open
    with written_whole(output_file) as unfinished, opened(unfinished, "wt", encoding="utf-8") as file:
        file.write(f"{len(written)} {rows.shape[1]}\n")
        for index, word in written.items():
            file.write(" ".join([word, *(f"{value:.9g}" for value in rows[index].tolist())]) + "\n")
    print(f"{output_file}: {len(written)} vectors of {rows.shape[1]} numbers", flush=True)


def _embedding(model: Model, name: Optional[str], archive_file: str) -> Tuple[Embedding, str]:
    """Returns the embedding of that name, or the only one, and its namespace in the vocabulary."""
    found: Dict[str, Tuple[Embedding, str]] = {}
    for module_name, module in model.named_modules():
        namespace = embedding_namespace(module) if isinstance(module, Embedding) else None
        # Others have not got their size from the vocabulary.
        if namespace is not None:
            found[module_name] = module, namespace
    chosen = list(found) if name is None else [name]
    if len(chosen) != 1 or chosen[0] not in found:
        raise ConfigurationError(
            f"{archive_file}: found the embeddings {', '.join(found) or '(none)'}, "
            f"expected {name or 'one, or the name of one of them in --embedding'}"
        )
    return found[chosen[0]]
