"""
What a command says of an error in what it was given: the error alone. Who wants to see where it was raised sets
`ALLENNLP_DEBUG=1`, or the log level to DEBUG.
"""

import logging
import sys
from pathlib import Path
from types import TracebackType
from typing import Optional, Type

from allennlp.common.checks import ConfigurationError

_COMMANDS = ("allennlp", "nerzoo")


def report_without_traceback() -> None:
    """Has errors of configurations and files reported so, where this process is a command."""
    program = Path(sys.argv[0] if sys.argv else "")
    name = program.parent.name if program.name == "__main__.py" else program.name
    # While Python looks for the module that it is to run.
    if name == "-m":
        name = sys.orig_argv[sys.orig_argv.index("-m") + 1]
    if name in _COMMANDS:
        sys.excepthook = _report


def _report(kind: Type[BaseException], error: BaseException, traceback: Optional[TracebackType]) -> None:
    # Those of files and of the system, such as a disk that is full, say what they are of.
    if issubclass(kind, (ConfigurationError, OSError)) and logging.getLogger().getEffectiveLevel() > logging.DEBUG:
        # Of a part of a configuration that may have several types AllenNLP says no more than that none of them fits.
        reasons = [str(error)]
        cause = error.__cause__
        while str(error).startswith("Failed to construct argument") and cause is not None:
            reasons.append(str(cause) or type(cause).__name__)
            cause = cause.__cause__
        print(f"error: {': '.join(reasons)}", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, traceback)
