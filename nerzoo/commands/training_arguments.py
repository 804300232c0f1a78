"""The arguments that the subcommands that train models share."""

import argparse


def add_training_arguments(subparser: argparse.ArgumentParser, directory: str) -> None:
    """
    Adds arguments of `allennlp train`.

    # Parameters

    subparser : `argparse.ArgumentParser`
    directory : `str`
        The description of the output folder.
    """
    subparser.add_argument("-s", "--serialization-dir", required=True, type=str, help=directory)
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
