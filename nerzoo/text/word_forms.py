"""Forms and characters of a word, as token indexers and the runtime without PyTorch read them."""

import re
import string
from functools import lru_cache
from typing import Callable, List, Tuple

_MAX_WORDS = 2**16
_DIGIT = re.compile(r"\d")
_PUNCTUATION = frozenset(string.punctuation)
_FEATURES: Tuple[Callable[[str], bool], ...] = (
    lambda word: word[:1].isupper(),
    str.isupper,
    str.islower,
    lambda word: any(character.isupper() for character in word[1:]),
    lambda word: any(map(str.isalpha, word)) and any(map(str.isdigit, word)),
    lambda word: not _PUNCTUATION.isdisjoint(word),
)

NUM_LEXICAL_FEATURES = len(_FEATURES)
NUM_HASHES = 128
"""The number of hashes of characters."""


def with_zeros(text: str) -> str:
    """Replaces all digits, in any script, by 0."""
    return _DIGIT.sub("0", text)


def has_capital(word: str) -> bool:
    """Returns whether a word has a capital letter."""
    return any(map(str.isupper, word))


# Most tokens are words that have been read before.
@lru_cache(_MAX_WORDS)
def lexical_form(word: str) -> int:
    """Returns the index of a word's lexical features; see the indexer `lexical_features`."""
    return 1 + sum(feature(word) << position for position, feature in enumerate(_FEATURES))


@lru_cache(_MAX_WORDS)
def hashed_characters(word: str) -> List[int]:
    """Returns the indices of a word's characters; see the indexer `hashed_characters`."""
    # JSON may contain halves of surrogate pairs, which UTF-8 cannot encode.
    encoded = (character.encode("utf-8", "surrogatepass") for character in word)
    return [1 + int.from_bytes(code, "big") % NUM_HASHES for code in encoded]
