import threading
from os import PathLike
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Tuple, Union, overload

import dill
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import JsonDict, int_to_device
from allennlp.data import Instance
from allennlp.predictors import Predictor

from nerzoo import archives
from nerzoo.inference.json_predictor import JsonPredictor
from nerzoo.text.token_batches import BATCH_TOKENS

NUM_BATCHES = 16
"""How many batches' worth of tokens are read ahead, to find items of similar lengths among them."""

MAX_ITEMS = 10_000
"""How many items are read ahead at most, however short they are."""


class _Item(NamedTuple):
    inputs: JsonDict
    instance: Optional[Instance]
    error: Optional[Exception]


class Window:
    """
    The part of a stream of items that is in memory: as many as make full batches of items of similar lengths.

    # Parameters

    predictor : `JsonPredictor`
    """

    def __init__(self, predictor: JsonPredictor) -> None:
        self._predictor = predictor
        self._items: List[_Item] = []
        self._num_tokens = 0

    @property
    def is_full(self) -> bool:
        """Whether there are so many items that they are to be predicted before more are added."""
        return len(self._items) >= MAX_ITEMS or self._num_tokens >= NUM_BATCHES * self._predictor.batch_tokens

    def add(self, item: Any) -> None:
        """Adds an item: a text, or an object that the predictor takes. Raises nothing; see `results`."""
        inputs = {"sentence": item} if isinstance(item, str) else item
        instance = error = None
        try:
            instance = self._predictor.json_to_instance(inputs)
            if instance is not None:
                self._num_tokens += self._predictor.size(instance)
        except Exception as raised:
            error = raised
        self._items.append(_Item(inputs, instance, error))

    def results(self) -> List[Union[JsonDict, Exception]]:
        """Returns the predictions for all items, or the errors that they end in, in their order."""
        good = [item for item in self._items if item.error is None]
        predictions = iter(
            self._predictor.try_batch_json([item.inputs for item in good], [item.instance for item in good])
        )
        return [next(predictions) if item.error is None else item.error for item in self._items]


Item = Union[str, Mapping[str, Any]]


class Tagger:
    """
    Predicts as `allennlp predict` does, in Python, for single items and for streams of any length:

        tagger = nerzoo.Tagger.load("output/ner/model.tar.gz")
        tagger("Mara lived in Calder.")["entities"]
        for prediction in tagger(open("texts.txt")):
            ...

    It works for the models of all systems: what it takes and gives are the JSON objects of the model's predictor; a
    string stands for `{"sentence": "..."}`.

    A stream is read as it goes: some batches' worth of items are in memory, and predicted in batches of similar
    lengths; predictions come in the order of the items. It may be used by several threads, of which one at a time
    computes, and can be pickled.

    # Parameters

    predictor : `JsonPredictor`
    """

    def __init__(self, predictor: JsonPredictor) -> None:
        self._predictor = predictor
        self._lock = threading.Lock()

    @classmethod
    def load(
        cls,
        archive: Union[str, PathLike],
        device: Union[None, int, str, torch.device] = None,
        batch_tokens: int = BATCH_TOKENS,
        overrides: Union[None, str, Dict[str, Any]] = None,
        allow: Iterable[str] = (),
    ) -> "Tagger":
        """
        Loads a model that `allennlp train` has trained.

        # Parameters

        archive : `Union[str, PathLike]`
            A file `model.tar.gz`; a folder with configuration, weights and vocabulary; a URL; or
            `hf://owner/name@revision`. What comes from elsewhere stays in AllenNLP's cache.
        device : `Union[int, str, torch.device]`, optional
            `"cpu"`, `"cuda:0"`, or the number of a GPU, -1 being the CPU. By default the first GPU, or the CPU where
            there is none.
        batch_tokens : `int`, optional (default = `4096`)
            The number of tokens that are predicted at a time, padding included.
        overrides : `Union[str, Dict[str, Any]]`, optional
            Changes of the configuration, such as `{"model.extra_outputs": ["attention"]}`.
        allow : `Iterable[str]`, optional
            Files, addresses, models of the hub and class paths that the configuration of a stranger's archive may name;
            see `docs/security.md`.

        # Raises

        `ConfigurationError` where there is no archive, or it is not that of a model of nerzoo.
        """
        if not isinstance(batch_tokens, int) or batch_tokens < 1:
            raise ConfigurationError(f"batch_tokens must be positive, found {batch_tokens!r}")
        loaded = archives.load(archive, device, overrides, allow)
        name = loaded.model.default_predictor
        predictor_class = None if name is None else Predictor.by_name(name)
        if not (isinstance(predictor_class, type) and issubclass(predictor_class, JsonPredictor)):
            raise ConfigurationError(
                f"{archive}: found a model of the type {loaded.config['model']['type']!r}, which the predictor {name} "
                "is for, expected a model of nerzoo, with a predictor of nerzoo"
            )
        predictor = predictor_class(loaded.model, loaded.validation_dataset_reader)
        predictor.batch_tokens = batch_tokens
        return cls(predictor)

    @property
    def predictor(self) -> JsonPredictor:
        """The predictor that does the work."""
        return self._predictor

    @property
    def is_on_gpu(self) -> bool:
        """Whether the model computes on a GPU."""
        return self._predictor.cuda_device >= 0

    def move_to(self, device: int) -> None:
        """Moves the model to the GPU of this number, or to the CPU, which is -1."""
        self._predictor.model.to(int_to_device(device))
        self._predictor.cuda_device = device

    # A string, and a mapping of strings, are iterables of strings, too.
    @overload
    def __call__(  # type: ignore[overload-overlap]
        self, inputs: Item, errors: str = "raise"
    ) -> JsonDict: ...

    @overload
    def __call__(self, inputs: Iterable[Item], errors: str = "raise") -> Iterator[JsonDict]: ...

    def __call__(
        self, inputs: Union[Item, Iterable[Item]], errors: str = "raise"
    ) -> Union[JsonDict, Iterator[JsonDict]]:
        """
        Predicts an item, or each of many.

        # Parameters

        inputs : `Union[str, Mapping, Iterable[Union[str, Mapping]]]`
            A text, an object such as `{"words": [...]}`, or any number of these, even without an end.
        errors : `str`, optional (default = `"raise"`)
            What happens where an item cannot be predicted: `"raise"`, after what is before it has been predicted; or
            `"yield"`: `{"error": "...", "index": ...}` in its place, the index counted from 0.

        # Returns

        `Union[JsonDict, Iterator[JsonDict]]`
            The prediction, or an iterator over the predictions.

        # Raises

        `ConfigurationError` where an item is not in a form that the predictor takes; that of a stream names its index.
        """
        if errors not in ("raise", "yield"):
            raise ConfigurationError(f"errors must be raise or yield, found {errors!r}")
        if not isinstance(inputs, Iterable):
            raise ConfigurationError(f"found {inputs!r}, expected a text, an object, or any number of these")
        if not isinstance(inputs, (str, Mapping)):
            return self._stream(inputs, errors)
        (result,) = self._results([inputs])
        if not isinstance(result, Exception):
            return result
        if errors == "raise":
            raise result
        return _described(result, 0)

    def _stream(self, inputs: Iterable[Item], errors: str) -> Iterator[JsonDict]:
        for index, result in enumerate(self._results(inputs)):
            if not isinstance(result, Exception):
                yield result
            elif errors == "yield":
                yield _described(result, index)
            elif isinstance(result, ConfigurationError):
                raise ConfigurationError(f"item {index}: {result}") from result
            else:
                result.add_note(f"in item {index}")
                raise result

    def _results(self, inputs: Iterable[Item]) -> Iterator[Union[JsonDict, Exception]]:
        items = iter(inputs)
        broken: Optional[Exception] = None
        is_exhausted = False
        while not is_exhausted:
            window = Window(self._predictor)
            while not window.is_full and not is_exhausted:
                try:
                    item = next(items)
                except StopIteration:
                    is_exhausted = True
                except Exception as error:
                    # What came before it is predicted first.
                    is_exhausted, broken = True, error
                else:
                    with self._lock:
                        window.add(item)
            with self._lock:
                results = window.results()
            yield from results
        if broken is not None:
            raise broken

    def __reduce__(self) -> Tuple[Callable[[bytes], "Tagger"], Tuple[bytes]]:
        # allennlp/modules/token_embedders/token_characters_encoder.py, TokenCharactersEncoder.__init__, has lambdas,
        # which pickle refuses.
        return _from_bytes, (dill.dumps(self._predictor),)


def _from_bytes(predictor: bytes) -> Tagger:
    return Tagger(dill.loads(predictor))


def _described(error: Exception, index: int) -> JsonDict:
    return {"error": str(error) or type(error).__name__, "index": index}
