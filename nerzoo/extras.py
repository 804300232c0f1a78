"""Libraries that only some need: they are extras of this package, imported where they are used."""

from contextlib import contextmanager
from typing import Iterator

from allennlp.common.checks import ConfigurationError


@contextmanager
def extra(name: str, purpose: str) -> Iterator[None]:
    """
    For the imports of what an extra installs. Raises `ConfigurationError` where one of them is missing, which says what
    it is for and how to install it.
    """
    try:
        yield
    except ImportError as error:
        library = (error.name or "").partition(".")[0]
        raise ConfigurationError(f"found no {library}, expected it{purpose}: pip install nerzoo[{name}]") from error
