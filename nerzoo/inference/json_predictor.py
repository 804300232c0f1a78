"""Predictors that read JSON, of sentences, texts and documents."""

from collections import defaultdict
from dataclasses import dataclass
from itertools import islice
from typing import (
    Any,
    Callable,
    Dict,
    FrozenSet,
    Iterator,
    List,
    Optional,
    Sequence,
    TypeVar,
    Union,
    cast,
)

import numpy
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import JsonDict
from allennlp.data import DatasetReader, Instance
from allennlp.data.fields import TextField
from allennlp.models import Model
from allennlp.predictors import Predictor

from nerzoo.errors import shortened
from nerzoo.files import JsonError, check_surrogates, parse_json
from nerzoo.formats.lines import MAX_RUN
from nerzoo.runtime import items
from nerzoo.text.token_batches import (
    BATCH_TOKENS,
    LONG_WORD,
    check_batch_tokens,
    sentence_size,
    token_batches,
)

T = TypeVar("T")

MAX_TOKENS = 20_000
"""The maximum number of tokens, see `sentence_size`, of an object. Attention between them takes some gigabytes."""


class InputLine(Dict[str, Any]):
    """The object in a line of input, its number from 1, without blank lines, and the error if it cannot be read."""

    def __init__(self, content: Dict[str, Any], number: int, error: Optional[Exception] = None) -> None:
        super().__init__(content)
        self.number = number
        self.error = error


@dataclass(frozen=True)
class ReadItem:
    """
    An object, its instance, or `None` where nothing is to be predicted, and its number of tokens, its length. A text
    has in place of an instance the items of its `parts`, and `join`, which makes its prediction of theirs; or, for an
    exported tagger, what this has read.
    """

    inputs: JsonDict
    instance: Optional[Instance]
    size: int
    parts: Sequence["ReadItem"] = ()
    join: Optional[Callable[[List[JsonDict]], JsonDict]] = None
    exported: Optional[items.ReadItem] = None

    def __len__(self) -> int:
        return self.size


Result = Union[JsonDict, Exception]
"""The prediction for an object, or the error that is in its place."""


class JsonPredictor(Predictor):
    """
    The base class of predictors that read a JSON object from each line. Objects that are predicted together are divided
    into batches of a limited size, of objects of similar length.

    A subclass turns an object into an instance in `_json_to_instance`, or into `None` where the prediction is `_empty`;
    or an object into several items in `_read_text`. `text_key` is the key of an object that stands for a string. Raises
    `ConfigurationError` where `batch_tokens` is not positive.

    # Parameters

    model, dataset_reader, frozen
        As in AllenNLP's `Predictor`.
    batch_tokens : `int`, optional (default = `4096`)
        The number of tokens of a batch, padding included; an object that is larger is a batch of its own.
    """

    text_key = "sentence"
    _expected = "a JSON object"
    _empty: JsonDict = {}

    def __init__(
        self, model: Model, dataset_reader: DatasetReader, frozen: bool = True, batch_tokens: int = BATCH_TOKENS
    ) -> None:
        super().__init__(model, dataset_reader, frozen)
        check_batch_tokens(batch_tokens)
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
        """Reads a line of input as an `InputLine`. Its error, if it has one, is raised by the prediction."""
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
        Returns the instance of an object, or `None` if nothing is to be predicted. Raises `ConfigurationError` where
        the object is in another form, has more than `MAX_TOKENS`, or a word of more than `lines.MAX_RUN` characters.
        """
        return self._read(json_dict).instance

    def read(self, item: Union[JsonDict, Exception]) -> Union[ReadItem, Exception]:
        """Reads an object, or returns the error that `json_to_instance` raises. Returns an error as it is."""
        if isinstance(item, Exception):
            return item
        try:
            return self._read(item)
        except Exception as error:
            return error

    def _read(self, json_dict: JsonDict) -> ReadItem:
        try:
            check_surrogates(json_dict)
        except JsonError as error:
            raise ConfigurationError(f"found {error} in the input, expected text that a file can have") from None
        text = self._read_text(json_dict)
        return self._read_instance(json_dict) if text is None else text

    def _read_text(self, json_dict: JsonDict) -> Optional[ReadItem]:
        """Returns the parts of an object that is a text, if it is one."""
        return None

    def _read_instance(self, json_dict: JsonDict) -> ReadItem:
        instance = cast(Optional[Instance], self._json_to_instance(json_dict))
        if instance is None:
            return ReadItem(json_dict, None, 0)
        size = self.size(instance)
        tokens = instance.fields.get("tokens")
        check_size(size)
        longest = max((len(token.text or "") for token in getattr(tokens, "tokens", ())), default=0)
        if longest > MAX_RUN:
            raise ConfigurationError(f"found a word of {longest} characters, expected at most lines.MAX_RUN, {MAX_RUN}")
        return ReadItem(json_dict, instance, size)

    def size(self, instance: Instance) -> int:
        """Returns the number of tokens of an instance, multiplied if it has a very long word."""
        return sentence_size([token.text or "" for token in cast(TextField, instance["tokens"])])

    def predict_json(self, inputs: JsonDict) -> JsonDict:
        """Predicts one object, see `predict_batch_json`."""
        return next(iter(self.predict_batch_json([inputs])))

    def predict_batch_json(self, inputs: List[JsonDict]) -> List[JsonDict]:
        """
        Predicts several objects. Raises the errors of `json_to_instance`. Where all are lines that `load_line` has
        read, the error names the line, and is raised after the predictions of the lines before it.
        """
        lines = [line for line in inputs if isinstance(line, InputLine)]
        if len(lines) < len(inputs):
            results: Any = self.predict_items([self._read(json_dict) for json_dict in inputs])
            for result in results:
                if isinstance(result, Exception):
                    raise result
            return results
        results = self.predict_items([self.read(line.error or line) for line in lines])
        for position, (line, result) in enumerate(zip(lines, results, strict=True)):
            if isinstance(result, Exception):
                named = ConfigurationError(f"line {line.number}, blank ones not counted: {result}")
                named.__cause__ = result
                # allennlp/commands/predict.py, _predict_json, writes one after the other: `for output in results`.
                return cast(List[JsonDict], _then_raise(results[:position], named))
        return results

    def predict_instance(self, instance: Instance) -> JsonDict:
        """Predicts one instance, see `predict_batch_instance`."""
        return self.predict_batch_instance([instance])[0]

    def predict_batch_instance(self, instances: List[Instance]) -> List[JsonDict]:
        """Predicts several instances, in batches of up to `batch_tokens`."""
        return self._in_batches([ReadItem({}, instance, self.size(instance)) for instance in instances], self._predict)

    def predict_items(self, items: Sequence[Union[ReadItem, Exception]]) -> List[Result]:
        """Predicts what `read` has returned; errors stay in their places. Predicts a batch that fails one by one."""
        present = [part for item in items if isinstance(item, ReadItem) for part in _present(item)]
        predictions = iter(self._in_batches(present, self._results))
        return [item if isinstance(item, Exception) else self._result(item, predictions) for item in items]

    def _result(self, item: ReadItem, predictions: Iterator[Result]) -> Result:
        """Returns the prediction for an item, or its error, given those for the instances of all items from it on."""
        if item.join is None:
            # A new object for each item.
            empty = {name: list(value) for name, value in self._empty.items()}
            return empty if item.instance is None else next(predictions)
        parts = list(islice(predictions, len(item.parts)))
        error = next((part for part in parts if isinstance(part, Exception)), None)
        return error or item.join(cast(List[JsonDict], parts))

    def _results(self, batch: List[ReadItem]) -> List[Result]:
        try:
            pairs = zip(batch, self._predict(batch), strict=True)
            return [self._finish(item.inputs, cast(Instance, item.instance), prediction) for item, prediction in pairs]
        except Exception as error:
            return [error] if len(batch) == 1 else [result for item in batch for result in self._results([item])]

    def _in_batches(self, items: List[ReadItem], predict: Callable[[List[ReadItem]], List[T]]) -> List[T]:
        """Predicts items that have instances, in batches. Returns the predictions in the order of the items."""
        # All instances of a batch must have the same fields, while only some sentences may have trees or tags.
        groups: Dict[FrozenSet[str], List[int]] = defaultdict(list)
        for position, item in enumerate(items):
            groups[frozenset(cast(Instance, item.instance).fields)].append(position)
        predictions: Dict[int, T] = {}
        for group in groups.values():
            for batch in token_batches([items[position].size for position in group], self.batch_tokens):
                positions = [group[place] for place in batch]
                predictions.update(zip(positions, predict([items[position] for position in positions]), strict=True))
        return [predictions[position] for position in range(len(items))]

    def _predict(self, batch: List[ReadItem]) -> List[JsonDict]:
        instances = [cast(Instance, item.instance) for item in batch]
        for instance in instances:
            self._dataset_reader.apply_token_indexers(instance)
        # Not by AllenNLP's method, which turns None into the string "None".
        return [
            {name: _plain(value) for name, value in prediction.items()}
            for prediction in self._model.forward_on_instances(instances)
        ]

    def _finish(self, json_dict: JsonDict, instance: Instance, prediction: JsonDict) -> JsonDict:
        """Returns the prediction for an object, given the one for its instance."""
        return prediction


def check_size(size: int) -> None:
    """Raises `ConfigurationError` for more than `MAX_TOKENS` tokens."""
    if size > MAX_TOKENS:
        found = f"{size} tokens, those in words of over {LONG_WORD} characters counted several times"
        expected = f"at most nerzoo.inference.json_predictor.MAX_TOKENS, {MAX_TOKENS}"
        raise ConfigurationError(f"found an item of {found}, expected {expected}")


def _present(item: ReadItem) -> Sequence[ReadItem]:
    """Returns the item, or its parts, if they have instances."""
    return [item] if item.instance is not None else item.parts


def _then_raise(predictions: List[JsonDict], error: Exception) -> Iterator[JsonDict]:
    yield from predictions
    raise error


def _plain(value: Any) -> Any:
    """Turns an array into lists, which JSON can express. Other values that models return are plain."""
    return value.tolist() if isinstance(value, (numpy.ndarray, numpy.generic)) else value
