"""
Batches of items of similar sizes, and the lookahead in a stream that makes them possible. An exception takes the place
of an item that cannot be read, and of its prediction.
"""

from typing import Any, Callable, Iterable, Iterator, List, Sequence, TypeVar, Union

from nerzoo.errors import configuration_error

T = TypeVar("T")

BATCH_TOKENS = 4096
"""The default number of tokens of a batch."""
BATCH_PIECES = 512
"""The number of pieces, with padding, that a transformer reads at a time on a CPU, the fastest with MiniLM."""
LONG_WORD = 100
"""Words of this many characters count as more than one token, since sentences are padded to the longest word."""
NUM_BATCHES = 16
"""The number of batches whose tokens are read ahead, to find items of similar sizes among them."""
MAX_ITEMS = 10_000
"""The maximum number of items that are read ahead, however short they are."""


def check_batch_tokens(batch_tokens: object, error: Callable[[str], Exception] = configuration_error) -> None:
    """Raises an error, by default `ConfigurationError`, where the number of tokens of a batch is not positive."""
    if not isinstance(batch_tokens, int) or batch_tokens < 1:
        raise error(f"batch_tokens must be positive, found {batch_tokens!r}")


def sentence_size(words: Sequence[str]) -> int:
    """Returns the number of tokens of a sentence, multiplied if it has a very long word."""
    return len(words) * (1 + max(map(len, words), default=0) // LONG_WORD)


def token_batches(sizes: Sequence[int], batch_tokens: int) -> List[List[int]]:
    """
    Groups items of these numbers of tokens into batches of similar ones, of up to `batch_tokens` tokens with padding; a
    larger item is a batch of its own. Returns the positions of the items of each batch, the largest items first.
    """
    batches: List[List[int]] = []
    capacity = 0
    for position in sorted(range(len(sizes)), key=lambda position: -sizes[position]):
        if not batches or len(batches[-1]) == capacity:
            batches.append([])
            capacity = max(1, batch_tokens // max(1, sizes[position]))
        batches[-1].append(position)
    return batches


def text_documents(sentences: Iterable[T], num_words: Callable[[T], int], max_words: int) -> List[List[T]]:
    """Joins the sentences of a text to documents of up to `max_words` words; a longer sentence is one of its own."""
    documents: List[List[T]] = []
    size = 0
    for sentence in sentences:
        size += num_words(sentence)
        if not documents or size > max_words:
            documents.append([])
            size = num_words(sentence)
        documents[-1].append(sentence)
    return documents


def predict_ahead(
    items: Iterable[Any],
    read: Callable[[Any], Union[T, Exception]],
    size: Callable[[T], int],
    predict: Callable[[List[Union[T, Exception]]], Sequence[Any]],
    batch_tokens: int,
) -> Iterator[Any]:
    """
    Predicts a stream in windows: each has as many items as fill `NUM_BATCHES` batches, so that `predict` can put items
    of similar sizes together. Where `items` raises an error, the items before it are predicted first.

    `read` turns an item into the form that `predict` takes, or into an error; `size` returns its number of tokens;
    `predict` returns the predictions for a window, in order, and the errors of the window in their places.
    """
    source = iter(items)
    end = None
    while end is None:
        window: List[Union[T, Exception]] = []
        num_tokens = 0
        while end is None and len(window) < MAX_ITEMS and num_tokens < NUM_BATCHES * batch_tokens:
            try:
                item = next(source)
            except Exception as error:
                end = error
            else:
                part = read(item)
                window.append(part)
                num_tokens += 0 if isinstance(part, Exception) else size(part)
        yield from predict(window)
    if not isinstance(end, StopIteration):
        raise end
