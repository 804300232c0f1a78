import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any, AsyncGenerator, Callable, Dict, Iterator, List, Optional, Sequence, TypeVar, Union

from allennlp.data import Instance
from more_itertools import chunked, constrained_batches

from nerzoo.deploy.server.limits import Limits
from nerzoo.deploy.server.requests import Refusal, refusal_of
from nerzoo.errors import extra
from nerzoo.formats.predictions import Prediction, predictions_from_json
from nerzoo.inference.tagger import Tagger
from nerzoo.models.sequence_tagger import TaggingModel
from nerzoo.reports.draw import DRAWINGS, drawable, holds
from nerzoo.reports.svg import svg, to_text

MAX_SQUARES = 10_000_000
"""
The sum, over the words of a request, parts of text between white space, of the squares of their numbers of characters.
spaCy's tokenizer takes time by these, for so much of brackets about a second, and nothing can interrupt it.
"""


def check_texts(items: List[Any], max_tokens: int) -> None:
    """
    Looks at the texts of a request before they are divided into tokens.

    # Parameters

    items : `List[Any]`
        Of JSON.
    max_tokens : `int`

    # Raises

    `Refusal` where there are more words than tokens may be, or reading them would take too long.
    """
    num_words = num_squares = 0
    for text in _strings(items):
        lengths = list(map(len, text.split()))
        num_words += len(lengths)
        num_squares += sum(length * length for length in lengths)
    if num_words > max_tokens:
        raise Refusal(422, f"found {num_words} words, expected at most {max_tokens} tokens in a request")
    if num_squares > MAX_SQUARES:
        found = f"words of many characters without white space, {num_squares} squared and summed"
        raise Refusal(422, f"found {found}, expected at most {MAX_SQUARES} in a request")


def _strings(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            yield part
        elif isinstance(part, (dict, list)):
            waiting.extend(part.values() if isinstance(part, dict) else part)


SHOWN = ("attention", "gate", "backward_tags")
"""The extra outputs that the page of the server has drawn, where the model has them."""

MAX_WORDS = 150
"""Of a sentence that is drawn, or posts of a thread: a matrix of attention has the square of it."""


def drawings(prediction: Dict[str, Any]) -> List[Dict[str, str]]:
    """
    Draws what a prediction holds besides entities: of each drawing `title`, `description` and `svg`. Sentences of more
    than `MAX_WORDS` are left out, and threads of more posts; what is no prediction for sentences or a thread has none.
    """
    if not prediction.keys() & {"words", "sentences", "posts"}:
        return []
    return [
        {"title": picture.title, "description": picture.description, "svg": to_text(svg([picture]))}
        for sentence in map(drawable, predictions_from_json(prediction, "the prediction"))
        if _has_room(sentence)
        for picture in (DRAWINGS[name].picture(sentence) for name in DRAWINGS if _is_drawn(sentence, name))
    ]


def _has_room(prediction: Prediction) -> bool:
    return 0 < len(prediction.outputs.get("posts", prediction.words)) <= MAX_WORDS


def _is_drawn(prediction: Prediction, name: str) -> bool:
    return name != "entities" and holds(prediction, name)


_FEW = 32
"""So many items are read at a time, so that those of other requests need not wait for a thousand."""

T = TypeVar("T")


@dataclass(frozen=True)
class ReadItem:
    """An item, the instance that it has become, if anything is to be predicted, and its number of tokens."""

    inputs: Any
    instance: Optional[Instance]
    size: int

    # What the library of batches goes by.
    def __len__(self) -> int:
        return self.size


Result = Union[Dict[str, Any], Refusal]


class Batcher:
    """
    Reads the items of requests, and predicts those of several requests together: in batches of a limited number of
    tokens, each made of what has come within a few milliseconds. Needs the extra `serve` of this package.

    Items are read in one thread and predicted in another one, so that neither the model nor a parser is used by two.

    # Parameters

    tagger : `Tagger`
    limits : `Limits`
    """

    def __init__(self, tagger: Tagger, limits: Limits) -> None:
        with extra("serve", ", which makes batches of requests"):
            from batched.aio import AsyncBatchProcessor
        self._predictor = tagger.predictor
        self._predictor.batch_tokens = limits.batch_tokens
        self._limits = limits
        self._reading = ThreadPoolExecutor(1, "reading")
        self._predicting = ThreadPoolExecutor(1, "predicting")
        self._batches = AsyncBatchProcessor(
            self._predict,
            batch_size=limits.batch_tokens,
            max_batch_length=limits.batch_tokens,
            timeout_ms=1000 * limits.wait,
        )

    async def read(self, items: List[Any]) -> List[Union[ReadItem, Refusal]]:
        """
        Reads the items of a request. Returns in the place of one that cannot be read why. Raises `Refusal` where they
        have too many tokens together, or would take too long to read.
        """
        await self._in(self._reading, partial(check_texts, items, self._limits.tokens))
        read: List[Union[ReadItem, Refusal]] = []
        for few in chunked(items, _FEW):
            read += await self._in(self._reading, partial(list, map(self._read, few)))
            num_tokens = sum(map(_size, read))
            if num_tokens > self._limits.tokens:
                found = f"{num_tokens} tokens in the first {len(read)} items"
                raise Refusal(422, f"found {found}, expected at most {self._limits.tokens} in a request")
        return read

    async def predict(self, items: Sequence[Union[ReadItem, Refusal]]) -> AsyncGenerator[List[Result], None]:
        """
        Predicts what `read` has returned. Yields the results of a batch's worth of items at a time, in their order;
        further ones are not among those that wait before these are there, so that nobody takes the place of others.
        """
        for portion in constrained_batches(items, self._limits.batch_tokens, get_len=_size, strict=False):
            readable = [item for item in portion if isinstance(item, ReadItem)]
            results = iter(await self._batches(readable) if readable else [])
            yield [item if isinstance(item, Refusal) else next(results) for item in portion]

    async def draw(self, item: Union[ReadItem, Refusal]) -> Dict[str, Any]:
        """
        Predicts an item, alone, with all that there are drawings of. Returns `prediction` and `drawings`. Raises
        `Refusal` where it cannot be read or predicted.
        """
        if isinstance(item, Refusal):
            raise item
        return await self._in(self._predicting, partial(self._draw, item))

    async def _in(self, executor: ThreadPoolExecutor, function: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(executor, function)

    def _read(self, item: Any) -> Union[ReadItem, Refusal]:
        try:
            instance = self._predictor.json_to_instance(item)
            return ReadItem(item, instance, 0 if instance is None else self._predictor.size(instance))
        except Exception as error:
            return refusal_of(error, is_read=False)

    async def _predict(self, batch: List[ReadItem]) -> List[Result]:
        return await self._in(self._predicting, partial(self._predict_now, batch))

    def _predict_now(self, batch: List[ReadItem]) -> List[Result]:
        results = self._predictor.try_batch_json([item.inputs for item in batch], [item.instance for item in batch])
        return [refusal_of(result, is_read=True) if isinstance(result, Exception) else result for result in results]

    def _draw(self, item: ReadItem) -> Dict[str, Any]:
        model = self._predictor.model
        with model.more_outputs(SHOWN) if isinstance(model, TaggingModel) else nullcontext():
            (result,) = self._predict_now([item])
        if isinstance(result, Refusal):
            raise result
        return {"prediction": result, "drawings": drawings(result)}


def _size(item: Union[ReadItem, Refusal]) -> int:
    return item.size if isinstance(item, ReadItem) else 0
