import logging
from typing import Any, Dict, Optional

from allennlp.common.checks import ConfigurationError

_logger = logging.getLogger(__name__)

LONGEST = 500
"""The number of characters of a message: what was found may be the whole item."""

OWN_FAULT = "the server failed; its log says why"


class Refusal(Exception):
    """
    The answer to a request that gets no predictions.

    # Parameters

    status : `int`
        Of HTTP.
    message : `str`
        What was found, and what was expected.
    index : `int`, optional
        The item that it is about, counted from 0.
    """

    def __init__(self, status: int, message: str, index: Optional[int] = None) -> None:
        super().__init__(
            message if len(message) <= LONGEST else f"{message[: LONGEST // 2]} ... {message[-LONGEST // 2 :]}"
        )
        self.status = status
        self.index = index

    @property
    def content(self) -> Dict[str, Any]:
        """The object that says so."""
        described: Dict[str, Any] = {"error": str(self)}
        return described if self.index is None else {**described, "index": self.index}

    @property
    def headers(self) -> Dict[str, str]:
        """The headers that HTTP wants with the status."""
        if self.status == 401:
            return {"WWW-Authenticate": "Bearer"}
        return {"Retry-After": "1"} if self.status == 429 else {}


def refusal_of(error: Exception, is_read: bool) -> Refusal:
    """
    Returns the answer to a request whose item ends in an error. What is not about the item goes into the log alone: it
    may name files of the server.

    # Parameters

    error : `Exception`
    is_read : `bool`
        Whether the item has been read before: then what is wrong with it has been said.
    """
    is_about_item = isinstance(error, ConfigurationError) and not isinstance(error.__cause__, (OSError, ImportError))
    if is_about_item:
        return Refusal(422, str(error))
    _logger.error("an item failed", exc_info=error)
    if is_read or isinstance(error, ConfigurationError):
        return Refusal(500, OWN_FAULT)
    return Refusal(422, f"found an item that cannot be read ({type(error).__name__})")
