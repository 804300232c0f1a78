from typing import Any, List, NamedTuple, Optional, Union

from allennlp.common.util import JsonDict
from allennlp.data import Instance

from nerzoo.predictors.json_predictor import JsonPredictor

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
