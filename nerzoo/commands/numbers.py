"""Types of arguments that are numbers; argparse names the argument in the error."""

import argparse


def positive(text: str) -> int:
    """Reads an integer of at least 1."""
    return _at_least(1, text)


def not_negative(text: str) -> int:
    """Reads an integer of at least 0."""
    return _at_least(0, text)


def _at_least(least: int, text: str) -> int:
    number = int(text)
    if number < least:
        raise argparse.ArgumentTypeError(f"found {text}, expected {least} or more")
    return number
