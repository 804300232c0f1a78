"""The arguments that the subcommands for folds share."""

import argparse
from typing import Any, Dict

from nerzoo.commands.training_arguments import add_training_arguments
from nerzoo.configuration_check import read_configuration


def add_fold_arguments(subparser: argparse.ArgumentParser, num_folds: int, directory: str) -> None:
    """
    Adds the arguments of the subcommands for folds.

    # Parameters

    subparser : `argparse.ArgumentParser`
    num_folds : `int`
        The default number of folds.
    directory : `str`
        The description of the output folder.
    """
    subparser.add_argument("param_path", type=str, help="path to the configuration of the model to be trained")
    subparser.add_argument("--folds", type=int, default=num_folds, help="number of folds")
    subparser.add_argument(
        "--seed", type=int, default=13370, help="decides which document is in which fold, and nothing else"
    )
    add_training_arguments(subparser, directory)


def fold_arguments(args: argparse.Namespace) -> Dict[str, Any]:
    """Returns the values of the arguments as the keyword arguments of a function that trains on folds."""
    return {
        "params": read_configuration(args.param_path, args.overrides),
        "serialization_dir": args.serialization_dir,
        "num_folds": args.folds,
        "seed": args.seed,
        "include_package": args.include_package,
        "file_friendly_logging": args.file_friendly_logging,
    }
