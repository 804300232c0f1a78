"""
The subcommands `export-onnx`, for programs without PyTorch and AllenNLP, and `export-vectors`:

    nerzoo export-onnx ARCHIVE FOLDER [--bits 8]
    nerzoo export-vectors ARCHIVE VECTORS.txt.gz
"""

import argparse
import gzip
import logging
from typing import Dict, Optional, Tuple

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError
from allennlp.models import Model
from allennlp.modules.token_embedders import Embedding

from nerzoo import archives
from nerzoo.allennlp_private import embedding_namespace, padding_token
from nerzoo.commands.arguments import Command
from nerzoo.files import check_is_new, written_whole
from nerzoo.inference.export_onnx import export_onnx

logger = logging.getLogger(__name__)


@Subcommand.register("export-onnx")
class ExportOnnx(Command):
    """
    Exports a tagger or a fofe_ner for nerzoo.runtime, which predicts with NumPy and ONNX Runtime alone, and
    transformers with the package tokenizers. Needs the extra onnx.
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("archive_file", help="path of an archive, or of the folder of a training")
        parser.add_argument("folder", help="new folder to write")
        parser.add_argument(
            "--bits", type=int, choices=(8, 16, 32), default=32, help="size of a weight; 8: computes in 8 bits"
        )

    def run(self, args: argparse.Namespace) -> None:
        folder = export_onnx(args.archive_file, args.folder, args.bits)
        size = sum(file.stat().st_size for file in folder.iterdir())
        print(f"{folder}: {size / 1e6:.1f} MB", flush=True)


@Subcommand.register("export-vectors")
class ExportVectors(Command):
    """Writes the word vectors of a trained model to a text file for the option `pretrained_file` of embeddings."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("archive_file", help="path of the archive of a trained model")
        parser.add_argument("output_file", help="path of the file to write; gzipped if it ends in .gz")
        module = "such as text_field_embedder.token_embedder_tokens; needed if there are several"
        parser.add_argument("--embedding", help=f"the module with the vectors, {module}")

    def run(self, args: argparse.Namespace) -> None:
        export_vectors(args.archive_file, args.output_file, args.embedding)


def export_vectors(archive_file: str, output_file: str, embedding: Optional[str] = None) -> None:
    """
    Writes the number of vectors and their size, as word2vec does, and then a line for each word of the vocabulary, in
    its order: the word and its vector, with enough digits to restore the same numbers. The token for unknown words is
    included under its name in the vocabulary, the padding token is not. Words with white space and the empty word,
    which such a line cannot hold, are left out and counted in a warning. Raises `ConfigurationError` where there is no
    such embedding, several and no name, or the output exists.
    """
    check_is_new(output_file)
    model = archives.load(archive_file, "cpu").model
    vectors, namespace = _embedding(model, embedding, archive_file)
    words = model.vocab.get_index_to_token_vocabulary(namespace)
    rows = vectors.weight.detach()
    words = {index: word for index, word in words.items() if word != padding_token(model.vocab)}
    # Any white space, since other programs than AllenNLP split lines at it.
    written = {index: word for index, word in words.items() if word.split() == [word]}
    left_out = len(words) - len(written)
    if left_out:
        logger.warning("%s: left out %d words that are empty or have white space", output_file, left_out)
    opened = gzip.open if output_file.endswith(".gz") else open
    with written_whole(output_file) as unfinished, opened(unfinished, "wt", encoding="utf-8") as file:
        file.write(f"{len(written)} {rows.shape[1]}\n")
        for index, word in written.items():
            file.write(" ".join([word, *(f"{value:.9g}" for value in rows[index].tolist())]) + "\n")
    print(f"{output_file}: {len(written)} vectors of {rows.shape[1]} numbers", flush=True)


def _embedding(model: Model, name: Optional[str], archive_file: str) -> Tuple[Embedding, str]:
    """Returns the embedding with a name, or the only one, and its namespace in the vocabulary."""
    found: Dict[str, Tuple[Embedding, str]] = {}
    for module_name, module in model.named_modules():
        namespace = embedding_namespace(module) if isinstance(module, Embedding) else None
        # Only those with a namespace have a vector for each word of the vocabulary.
        if namespace is not None:
            found[module_name] = module, namespace
    chosen = list(found) if name is None else [name]
    if len(chosen) != 1 or chosen[0] not in found:
        expected = name or "one, or the name of one of them in --embedding"
        names = ", ".join(found) or "(none)"
        raise ConfigurationError(f"{archive_file}: found the embeddings {names}, expected {expected}")
    return found[chosen[0]]
