"""Types of arguments that are numbers; argparse names the argument in the error."""

import argparse


def positive(text: str) -> int:
    """Reads an integer of at least 1."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"found {text}, expected 1 or more")
    return number
