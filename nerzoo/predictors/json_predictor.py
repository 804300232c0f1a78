import json

from allennlp.common.checks import ConfigurationError
from allennlp.common.util import JsonDict
from allennlp.predictors import Predictor


class JsonPredictor(Predictor):
    """What predictors of JSON objects, one a line, share."""

    _expected = "a JSON object"

    def load_line(self, line: str) -> JsonDict:
        """Raises `ConfigurationError` where the line is not JSON."""
        try:
            return json.loads(line)
        except json.JSONDecodeError as error:
            raise ConfigurationError(f"found the input {line.strip()!r} ({error}), expected {self._expected}") from None
