"""
The `export-onnx` subcommand exports a tagger for programs without PyTorch and AllenNLP:

    allennlp export-onnx ARCHIVE FOLDER

`nerzoo.runtime.OnnxTagger` and `python -m nerzoo.runtime` predict with the folder.
"""

import argparse
from pathlib import Path

from allennlp.commands.subcommand import Subcommand

from nerzoo.allennlp_private import SubParsers
from nerzoo.exporting import export_onnx


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
        subparser.set_defaults(func=_export_from_args)
        return subparser


def _export_from_args(args: argparse.Namespace) -> Path:
    folder = export_onnx(args.archive_file, args.folder)
    size = sum(file.stat().st_size for file in folder.iterdir())
    print(f"{folder}: {size / 1e6:.1f} MB", flush=True)
    return folder
