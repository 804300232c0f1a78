import json

from allennlp.common.checks import ConfigurationError
from allennlp.common.util import JsonDict
from allennlp.data import Instance
from allennlp.predictors import Predictor


class JsonPredictor(Predictor):
    """
    The base class of predictors that read a JSON object from each line. A single object or instance is predicted as a
    batch of one.
    """

    _expected = "a JSON object"

    def load_line(self, line: str) -> JsonDict:
        """Raises `ConfigurationError` where the line is not JSON."""
        try:
            return json.loads(line)
        except json.JSONDecodeError as error:
            raise ConfigurationError(f"found the input {line.strip()!r} ({error}), expected {self._expected}") from None

    def predict_json(self, inputs: JsonDict) -> JsonDict:
        """Predicts one object, see `predict_batch_json`."""
        return self.predict_batch_json([inputs])[0]

    def predict_instance(self, instance: Instance) -> JsonDict:
        """Predicts one instance, see `predict_batch_instance`."""
        return self.predict_batch_instance([instance])[0]
