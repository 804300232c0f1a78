"""The arguments that the subcommands for folds share."""

import argparse
from typing import Any, Dict

from allennlp.common import Params


def add_fold_arguments(subparser: argparse.ArgumentParser, num_folds: int, directory: str) -> None:
    """
    Adds the arguments that all these subcommands have.

    # Parameters

    subparser : `argparse.ArgumentParser`
    num_folds : `int`
        The default.
    directory : `str`
        What the output folder is for.
    """
    subparser.add_argument("param_path", type=str, help="path to the configuration of the model to be trained")
    subparser.add_argument("-s", "--serialization-dir", required=True, type=str, help=directory)
    subparser.add_argument("--folds", type=int, default=num_folds, help="number of folds")
    subparser.add_argument(
        "--seed", type=int, default=13370, help="decides which document is in which fold, and nothing else"
    )
    subparser.add_argument(
        "-o",
        "--overrides",
        type=str,
        default="",
        help="a JSON structure that overrides parts of the configuration, as in `allennlp train`",
    )
    subparser.add_argument(
        "--file-friendly-logging",
        action="store_true",
        default=False,
        help="outputs tqdm status on separate lines and slows tqdm refresh rate",
    )


def fold_arguments(args: argparse.Namespace) -> Dict[str, Any]:
    """What `add_fold_arguments` adds, as the keyword arguments of a function that trains on folds."""
    return {
        "params": Params.from_file(args.param_path, args.overrides),
        "serialization_dir": args.serialization_dir,
        "num_folds": args.folds,
        "seed": args.seed,
        "include_package": args.include_package,
        "file_friendly_logging": args.file_friendly_logging,
    }
