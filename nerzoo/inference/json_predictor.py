from collections import defaultdict
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Union, cast

import numpy
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import JsonDict
from allennlp.data import DatasetReader, Instance
from allennlp.data.fields import TextField
from allennlp.models import Model
from allennlp.predictors import Predictor

from nerzoo.errors import shortened
from nerzoo.formats.json_text import JsonError, check_surrogates, parse_json
from nerzoo.formats.lines import MAX_RUN
from nerzoo.text.token_batches import BATCH_TOKENS, LONG_WORD, sentence_size, token_batches


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


MAX_TOKENS = 20_000
"""
The number of tokens of the largest object, of which words of more than 100 characters count several times. Attention of
so many words to each other takes some gigabytes.
"""


class JsonPredictor(Predictor):
    """
    The base class of predictors that read a JSON object from each line. What is predicted together, however much it is,
    is divided into batches of a limited size, of objects of similar length.

    A subclass says how an object becomes an instance, in `_json_to_instance`, which returns `None` for one of which
    nothing is to be predicted but `_empty`.

    # Parameters

    model : `Model`
    dataset_reader : `DatasetReader`
    frozen : `bool`, optional (default = `True`)
    batch_tokens : `int`, optional (default = `4096`)
        The number of tokens of a batch, padding included; what is larger is a batch of its own.

    # Raises

    `ConfigurationError` where `batch_tokens` is not positive.
    """

    _expected = "a JSON object"
    _empty: JsonDict = {}

    def __init__(
        self, model: Model, dataset_reader: DatasetReader, frozen: bool = True, batch_tokens: int = BATCH_TOKENS
    ) -> None:
        super().__init__(model, dataset_reader, frozen)
        if batch_tokens < 1:
            raise ConfigurationError(f"batch_tokens must be positive, found {batch_tokens}")
        self.batch_tokens = batch_tokens
        self._num_lines = 0

    @property
    def model(self) -> Model:
        """The model that predicts."""
        return self._model

    @property
    def dataset_reader(self) -> DatasetReader:
        """The reader that makes instances of objects."""
        return self._dataset_reader

    def load_line(self, line: str) -> JsonDict:
        """Reads a line of input. One that is not a JSON object is an error when it is predicted: see `InputLine`."""
        self._num_lines += 1
        found = f"found the input {shortened(repr(line.strip()))}"
        try:
            content = parse_json(line)
        except JsonError as error:
            content, found = None, f"{found} ({error})"
        if isinstance(content, dict):
            return InputLine(content, self._num_lines)
        return InputLine({}, self._num_lines, ConfigurationError(f"{found}, expected {self._expected}"))

    def json_to_instance(self, json_dict: JsonDict) -> Optional[Instance]:
        """
        Turns an object into an instance, or into `None`, where nothing is to be predicted. Raises `ConfigurationError`
        where it is not in a form that the predictor takes, has more than `MAX_TOKENS`, or a word of more characters
        than `nerzoo.formats.lines.MAX_RUN`, which models of characters read one after the other.
        """
        try:
            check_surrogates(json_dict)
        except JsonError as error:
            raise ConfigurationError(f"found {error} in the input, expected text that a file can have") from None
        instance = self._json_to_instance(json_dict)
        size = 0 if instance is None else self.size(instance)
        if size > MAX_TOKENS:
            found = f"{size} tokens, those in words of over {LONG_WORD} characters counted several times"
            expected = f"at most nerzoo.inference.json_predictor.MAX_TOKENS, {MAX_TOKENS}"
            raise ConfigurationError(f"found an item of {found}, expected {expected}")
        tokens = None if instance is None else instance.fields.get("tokens")
        longest = (
            max((len(token.text or "") for token in tokens.tokens), default=0) if isinstance(tokens, TextField) else 0
        )
        if longest > MAX_RUN:
            raise ConfigurationError(f"found a word of {longest} characters, expected at most lines.MAX_RUN, {MAX_RUN}")
        return instance

    def size(self, instance: Instance) -> int:
        """Returns the number of tokens of an instance, of which those that are very long words count several times."""
        return sentence_size([token.text or "" for token in cast(TextField, instance["tokens"])])

    def predict_json(self, inputs: JsonDict) -> JsonDict:
        """Predicts one object, see `predict_batch_json`."""
        return next(iter(self.predict_batch_json([inputs])))

    def predict_batch_json(self, inputs: List[JsonDict]) -> List[JsonDict]:
        """
        Predicts several objects. Raises `ConfigurationError` where one of them is not in a form that the predictor
        takes, or has more than `MAX_TOKENS`.

        Lines that `load_line` has read are predicted as far as there is none that cannot be: the error then comes after
        the predictions of those before it, and names the line.
        """
        if inputs and all(isinstance(json_dict, InputLine) for json_dict in inputs):
            # allennlp/commands/predict.py, _predict_json, writes one after the other: `for output in results`.
            return cast(List[JsonDict], self._predict_lines(cast(List[InputLine], inputs)))
        instances = [self.json_to_instance(json_dict) for json_dict in inputs]
        predictions = iter(self.predict_batch_instance([instance for instance in instances if instance]))
        return [
            self._finish(json_dict, instance, next(predictions)) if instance else self._nothing()
            for json_dict, instance in zip(inputs, instances, strict=True)
        ]

    def _predict_lines(self, lines: List[InputLine]) -> Iterable[JsonDict]:
        instances: List[Optional[Instance]] = []
        failed: Optional[Exception] = None
        for line in lines:
            try:
                if line.error is not None:
                    raise line.error
                instances.append(self.json_to_instance(line))
            except Exception as error:
                failed = line.named(error)
                break
        read = lines[: len(instances)]
        predictions: List[JsonDict] = []
        for line, prediction in zip(read, self.try_batch_json(read, instances), strict=True):
            if isinstance(prediction, Exception):
                failed = line.named(prediction)
                break
            predictions.append(prediction)
        return predictions if failed is None else _then_raise(predictions, failed)

    def predict_instance(self, instance: Instance) -> JsonDict:
        """Predicts one instance, see `predict_batch_instance`."""
        return self.predict_batch_instance([instance])[0]

    def predict_batch_instance(self, instances: List[Instance]) -> List[JsonDict]:
        """Predicts several instances, in batches of up to `batch_tokens`."""
        predictions: Dict[int, JsonDict] = {}
        for batch in self._batches(instances):
            predictions.update(zip(batch, self._predict([instances[position] for position in batch]), strict=True))
        return [predictions[position] for position in range(len(instances))]

    def try_batch_json(
        self, inputs: Sequence[JsonDict], instances: Sequence[Optional[Instance]]
    ) -> List[Union[JsonDict, Exception]]:
        """
        Predicts objects one by one where they cannot be predicted in batches.

        # Parameters

        inputs : `Sequence[JsonDict]`
        instances : `Sequence[Optional[Instance]]`
            What `json_to_instance` returned for each of them.

        # Returns

        `List[Union[JsonDict, Exception]]`
            Of each object the prediction, or the error that it ends in.
        """
        results: List[Union[JsonDict, Exception]] = [self._nothing() for _ in inputs]
        present = [(position, instance) for position, instance in enumerate(instances) if instance]
        for batch in self._batches([instance for _, instance in present]):
            group = [present[place] for place in batch]
            try:
                predictions: Sequence[Any] = self._predict([instance for _, instance in group])
            except Exception:
                predictions = [self._try_one(instance) for _, instance in group]
            for (position, instance), prediction in zip(group, predictions, strict=True):
                results[position] = prediction
                if not isinstance(prediction, Exception):
                    try:
                        results[position] = self._finish(inputs[position], instance, prediction)
                    except Exception as error:
                        results[position] = error
        return results

    def _try_one(self, instance: Instance) -> Union[JsonDict, Exception]:
        try:
            return self._predict([instance])[0]
        except Exception as error:
            return error

    def _batches(self, instances: Sequence[Instance]) -> List[List[int]]:
        """Returns the positions of the instances of each batch."""
        # All instances of a batch must have the same fields, while only some sentences may have trees or tags.
        groups = defaultdict(list)
        for position, instance in enumerate(instances):
            groups[frozenset(instance.fields)].append(position)
        return [
            [group[place] for place in batch]
            for group in groups.values()
            for batch in token_batches([self.size(instances[position]) for position in group], self.batch_tokens)
        ]

    def _predict(self, instances: List[Instance]) -> List[JsonDict]:
        """Predicts a batch."""
        for instance in instances:
            self._dataset_reader.apply_token_indexers(instance)
        # Not by AllenNLP's method, which turns None into the string "None".
        return [
            {name: _plain(value) for name, value in prediction.items()}
            for prediction in self._model.forward_on_instances(instances)
        ]

    def _finish(self, json_dict: JsonDict, instance: Instance, prediction: JsonDict) -> JsonDict:
        """Returns the prediction for an object, given that for its instance."""
        return prediction

    def _nothing(self) -> JsonDict:
        """Returns the prediction for an object without an instance, each time a new one."""
        return {name: list(value) for name, value in self._empty.items()}


def _then_raise(predictions: List[JsonDict], error: Exception) -> Iterator[JsonDict]:
    yield from predictions
    raise error


def _plain(value: Any) -> Any:
    """Turns an array into lists, so that JSON can have it. All else that models give is plain."""
    return value.tolist() if isinstance(value, (numpy.ndarray, numpy.generic)) else value
