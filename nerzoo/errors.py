"""The messages of errors in files, configurations and arguments, and their display by a command."""

import logging
import math
import sys
from contextlib import contextmanager
from importlib.machinery import PathFinder
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Optional, Sequence, Type

if TYPE_CHECKING:
    from allennlp.common.checks import ConfigurationError

_LONG = 500


TRAINING = "pip install 'nerzoo[train]' && pip install --no-deps allennlp==2.10.1 allennlp-models==2.10.1"
"""The commands that install what training needs."""


def configuration_error(message: str) -> "ConfigurationError":
    """Returns AllenNLP's error, or `ValueError` where AllenNLP, which `nerzoo.text` works without, is not installed."""
    if not is_installed("allennlp"):
        return ValueError(message)  # type: ignore[return-value]
    from allennlp.common.checks import ConfigurationError

    return ConfigurationError(message)


def is_mistake(error: BaseException) -> bool:
    """Returns whether an error is one that `configuration_error` returns, or is raised where AllenNLP is not needed."""
    return isinstance(error, ValueError) or type(error).__name__ == "ConfigurationError"


@contextmanager
def worded() -> Iterator[None]:
    """Surrounds calls of what works without AllenNLP: turns `ValueError` into `ConfigurationError`."""
    try:
        yield
    except ValueError as error:
        raise configuration_error(str(error)) from error


class NotInstalledError(ImportError):
    """The error of an installation that lacks what training needs."""


@contextmanager
def needs_training(purpose: str) -> Iterator[None]:
    """Surrounds imports of what needs AllenNLP. Raises `NotInstalledError` where that or PyTorch is missing."""
    try:
        yield
    except ImportError:
        if all(map(is_installed, ("allennlp", "torch"))):
            raise
        raise NotInstalledError(f"{purpose} needs PyTorch and AllenNLP: {TRAINING}") from None


def is_installed(package: str) -> bool:
    """Returns whether a package is there, and does not import it."""
    # Not by importlib.util.find_spec, which would ask nerzoo.registration and import the package.
    return PathFinder.find_spec(package) is not None


def format_error(location: object, found: str, expected: str) -> "ConfigurationError":
    """Returns the error for a file that does not have its format. `location` is a `Line`, a path or any name."""
    return configuration_error("{}: found {}, expected {}".format(*map(shortened, (str(location), found, expected))))


def check_choice(name: str, value: object, choices: Sequence[object]) -> None:
    """Raises `ConfigurationError` unless the value of a parameter is one of the choices."""
    if value not in choices:
        expected = f"{', '.join(map(repr, choices[:-1]))} or {choices[-1]!r}"
        raise configuration_error(f"found the {name} {value!r}, expected {expected}")


def check_range(name: str, value: float, lowest: float, highest: float = math.inf) -> None:
    """Raises `ConfigurationError` unless the value of a parameter is finite and in the range, which has both bounds."""
    if value == math.inf:
        raise configuration_error(f"found the {name} {value}, expected a finite number")
    if not lowest <= value <= highest:
        expected = f"at least {lowest:g}" if highest == math.inf else f"a number from {lowest:g} to {highest:g}"
        found = int(value) if float(value).is_integer() else value
        raise configuration_error(f"found the {name} {found}, expected {expected}")


def shortened(text: str) -> str:
    """Returns a text for a message. A long one lacks its middle."""
    return text if len(text) <= _LONG else f"{text[: _LONG - 100]} ... {text[-90:]}"


def in_short(error: BaseException) -> str:
    """Returns the first three lines of an error's message as one line of at most 500 characters, or its type."""
    message = " ".join(line.strip() for line in str(error).strip().splitlines()[:3]) or type(error).__name__
    return message[:_LONG]


def nearest(name: Any, known: Iterable[str], others: Optional[str] = None) -> str:
    """Returns the known name that is most similar to a wrong one, or else `others`, by default all known names."""
    # Only an error needs it, and every start of the runtime would import it.
    from difflib import get_close_matches

    names = sorted(known)
    near = get_close_matches(str(name), names, n=1)
    return repr(near[0]) if near else others or f"one of {', '.join(names) or '(none)'}"


@contextmanager
def extra(name: str, purpose: str) -> Iterator[None]:
    """Surrounds imports of the extra `name`. Raises `ConfigurationError` with purpose and remedy if one is missing."""
    try:
        yield
    except ImportError as error:
        library = (error.name or "").partition(".")[0]
        message = f"found no {library}, expected it{purpose}: pip install nerzoo[{name}]"
        raise configuration_error(message) from error


def report_in_allennlp() -> None:
    """Installs `report` in the command `allennlp`. Other programs keep their own `sys.excepthook`."""
    program = Path(sys.argv[0] if sys.argv else "")
    name = program.parent.name if program.name == "__main__.py" else program.name
    # While Python searches for the module to run.
    if name == "-m":
        name = sys.orig_argv[sys.orig_argv.index("-m") + 1]
    if name == "allennlp":
        sys.excepthook = report


def report(kind: Type[BaseException], error: BaseException, traceback: Optional[TracebackType]) -> None:
    """
    Shows an error of a command, as `sys.excepthook`: one line for a mistake of the user's, the traceback for any other
    error, and for all errors with `ALLENNLP_DEBUG=1` or log level DEBUG.
    """
    from allennlp.common.checks import ConfigurationError

    # An `OSError`, such as that of a full disk, names its file.
    if issubclass(kind, (ConfigurationError, OSError)) and logging.getLogger().getEffectiveLevel() > logging.DEBUG:
        # For an argument of several possible types, AllenNLP's message only says that none of them fits.
        reasons = [str(error)]
        cause = error.__cause__
        while str(error).startswith("Failed to construct argument") and cause is not None:
            reasons.append(str(cause) or type(cause).__name__)
            cause = cause.__cause__
        print(f"error: {': '.join(reasons)}", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, traceback)
