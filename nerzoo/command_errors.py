"""
The error of a command in a file, a configuration or an argument, shown in one line. Who wants to see where it was
raised sets `ALLENNLP_DEBUG=1`, or the log level to DEBUG.
"""

import logging
import sys
from pathlib import Path
from types import TracebackType
from typing import Optional, Type

from allennlp.common.checks import ConfigurationError


def report_in_allennlp() -> None:
    """Reports errors so where this process is the command `allennlp`; it is no other program's."""
    program = Path(sys.argv[0] if sys.argv else "")
    name = program.parent.name if program.name == "__main__.py" else program.name
    # While Python looks for the module that it is to run.
    if name == "-m":
        name = sys.orig_argv[sys.orig_argv.index("-m") + 1]
    if name == "allennlp":
        sys.excepthook = report


def report(kind: Type[BaseException], error: BaseException, traceback: Optional[TracebackType]) -> None:
    """Writes a line for an error of what the user gave, and the traceback of any other, as `sys.excepthook`."""
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
