import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any, AsyncGenerator, Callable, Dict, Iterator, List, Sequence, TypeVar, Union

from more_itertools import chunked, constrained_batches

from nerzoo.deploy.server.requests import Limits, Refusal, to_refusal
from nerzoo.errors import extra
from nerzoo.formats.jsonl import predictions_from_json
from nerzoo.inference.json_predictor import ReadItem
from nerzoo.inference.tagger import Tagger
from nerzoo.models.sequence_tagger import TaggingModel
from nerzoo.reports.draw import DRAWINGS, drawable, holds
from nerzoo.reports.svg import svg, to_text

SHOWN = ("attention", "gate", "backward_tags")
"""The extra outputs that `/draw` asks for, where the model has them."""

MAX_WORDS = 150
"""The maximum number of words of a sentence, or posts of a thread, in a drawing: attention is quadratic in it."""

MAX_SQUARES = 10_000_000
"""
The maximum, for a request, of the sum of the squared lengths of its words, the parts of text between white space.
spaCy's tokenizer takes time in proportion to it, about a second for so many brackets, and cannot be interrupted.
"""

_FEW = 32
"""The number of items that are read at a time, so that a request of a thousand items does not delay others."""

T = TypeVar("T")
Result = Union[Dict[str, Any], Refusal]


class Batcher:
    """
    Reads the items of requests, and predicts items of several requests together: in batches of a limited number of
    tokens, each made of the items that arrived within a few milliseconds. Needs the extra `serve` of this package.

    One thread reads items and another one predicts them, so that no two threads use the model or a parser.
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
            self._predict_batch,
            batch_size=limits.batch_tokens,
            max_batch_length=limits.batch_tokens,
            timeout_ms=1000 * limits.wait,
        )

    async def read(self, items: List[Any]) -> List[Union[ReadItem, Refusal]]:
        """
        Reads the items of a request. A refusal takes the place of an item that cannot be read. Raises `Refusal` where
        they have too many tokens together, or would take too long to read.
        """
        await self._in(self._reading, check_texts, items, self._limits.tokens)
        read: List[Union[ReadItem, Refusal]] = []
        for few in chunked(items, _FEW):
            read += await self._in(self._reading, self._read, few)
            num_tokens = sum(map(_size, read))
            if num_tokens > self._limits.tokens:
                found = f"{num_tokens} tokens in the first {len(read)} items"
                raise Refusal(422, f"found {found}, expected at most {self._limits.tokens} in a request")
        return read

    async def predict(self, items: Sequence[Union[ReadItem, Refusal]]) -> AsyncGenerator[List[Result], None]:
        """
        Predicts what `read` has returned. Yields the results of a batch's worth of items at a time, in their order. The
        next items wait for their turn only after these, so that a large request does not take the place of others.
        """
        for portion in constrained_batches(items, self._limits.batch_tokens, get_len=_size, strict=False):
            readable = [item for item in portion if isinstance(item, ReadItem)]
            results = iter(await self._batches(readable) if readable else [])
            yield [item if isinstance(item, Refusal) else next(results) for item in portion]

    async def draw(self, item: Union[ReadItem, Refusal]) -> Dict[str, Any]:
        """
        Predicts an item, alone, with the extra outputs that can be drawn. Returns `prediction` and `drawings`. Raises
        `Refusal` where it cannot be read or predicted.
        """
        if isinstance(item, Refusal):
            raise item
        return await self._in(self._predicting, self._draw, item)

    async def _in(self, executor: ThreadPoolExecutor, function: Callable[..., T], *args: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(executor, function, *args)

    def _read(self, items: List[Any]) -> List[Union[ReadItem, Refusal]]:
        read = map(self._predictor.read, items)
        return [to_refusal(item, is_read=False) if isinstance(item, Exception) else item for item in read]

    # The library of batches recognizes `async def`, and calls other functions in threads of its own.
    async def _predict_batch(self, batch: List[ReadItem]) -> List[Result]:
        return await self._in(self._predicting, self._predict, batch)

    def _predict(self, batch: List[ReadItem]) -> List[Result]:
        results = self._predictor.predict_items(batch)
        return [to_refusal(result, is_read=True) if isinstance(result, Exception) else result for result in results]

    def _draw(self, item: ReadItem) -> Dict[str, Any]:
        model = self._predictor.model
        with model.more_outputs(SHOWN) if isinstance(model, TaggingModel) else nullcontext():
            (result,) = self._predict([item])
        if isinstance(result, Refusal):
            raise result
        return {"prediction": result, "drawings": drawings(result)}


def _size(item: Union[ReadItem, Refusal]) -> int:
    return len(item) if isinstance(item, ReadItem) else 0


def check_texts(items: List[Any], max_tokens: int) -> None:
    """
    Checks the texts of a request, JSON values, before they are divided into tokens. Raises `Refusal` where there are
    more words than tokens are allowed, or reading them would take too long.
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


def drawings(prediction: Dict[str, Any]) -> List[Dict[str, str]]:
    """
    Draws the outputs of a prediction other than entities. Each drawing has `title`, `description` and `svg`. Sentences
    of more than `MAX_WORDS` words, threads of more posts, and predictions without words or posts are not drawn.
    """
    if not prediction.keys() & {"words", "sentences", "posts"}:
        return []
    return [
        {"title": picture.title, "description": picture.description, "svg": to_text(svg([picture]))}
        for found in predictions_from_json(prediction, "the prediction")
        if 0 < len(found.outputs.get("posts", found.words)) <= MAX_WORDS
        for sentence in [drawable(found)]
        for name, drawing in DRAWINGS.items()
        if name != "entities" and holds(sentence, name)
        for picture in [drawing.picture(sentence)]
    ]
