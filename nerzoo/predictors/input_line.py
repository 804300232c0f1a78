from typing import Any, Dict, Optional

from allennlp.common.checks import ConfigurationError


class InputLine(Dict[str, Any]):
    """
    The JSON object in a line of what `allennlp predict` reads.

    # Parameters

    content : `Dict[str, Any]`
    number : `int`
        The number of the line, from 1, blank ones not counted: a predictor does not get to see them.
    error : `Exception`, optional
        Why the line cannot be read.
    """

    def __init__(self, content: Dict[str, Any], number: int, error: Optional[Exception] = None) -> None:
        super().__init__(content)
        self.number = number
        self.error = error

    def named(self, error: Exception) -> ConfigurationError:
        """Returns an error that names the line."""
        named = ConfigurationError(f"line {self.number}, blank ones not counted: {error}")
        named.__cause__ = error
        return named
