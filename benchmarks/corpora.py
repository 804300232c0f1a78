"""The corpora that benchmarks read: they are in the folder that the environment variable DATA names."""

import os


def corpus(path: str) -> str:
    """The place of `path`, a file or a folder among the corpora; without DATA the program ends."""
    if "DATA" not in os.environ:
        raise SystemExit("the environment variable DATA is not set; expected the folder of the corpora")
    return os.path.join(os.environ["DATA"], path)
