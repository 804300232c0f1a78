"""
The command `nerzoo`, or `python -m nerzoo`. It starts within a fifth of a second where it needs no AllenNLP, and else
in a third of the time of `allennlp`, since nerzoo is imported first, which defers slow imports.
"""

import os
import select
import sys
from importlib import import_module

from nerzoo.errors import NotInstalledError, needs_training
from nerzoo.overview import overview
from nerzoo.version import __version__
from nerzoo.zoo.command import run


def main() -> None:
    """Runs the command in `sys.argv`. Ends without a word where the reader of its output ends, such as `head`."""
    try:
        _run()
    except BrokenPipeError:
        if not _is_output_without_reader():
            raise
        # Python would flush the output once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _is_output_without_reader() -> bool:
    """Returns whether the standard output, and not the pipe of another process, has lost its reader."""
    output = select.poll()
    # For no event but the loss, which is always reported.
    output.register(sys.stdout.fileno(), 0)
    return bool(output.poll(0))


def _run() -> None:
    first = sys.argv[1:2]
    if first in ([], ["-h"], ["--help"]):
        print(overview())
    elif first == ["--version"]:
        print(f"nerzoo {__version__}")
    elif not run(sys.argv[1:]):
        # nerzoo.training.progress has bars in place of AllenNLP's. Read when tqdm is first imported.
        os.environ.setdefault("TQDM_DISABLE", "1")
        try:
            with needs_training(f"nerzoo {first[0]}"):
                program = import_module("nerzoo.commands.program")
        except NotInstalledError as error:
            sys.exit(f"error: {error}")
        program.main()
    sys.stdout.flush()


if __name__ == "__main__":
    main()
