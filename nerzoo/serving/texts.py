from typing import Any, Iterator, List

from nerzoo.serving.refusal import Refusal

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
