"""Features of words that a CRF without word vectors takes: what such taggers were given before they had any."""

import re
from typing import Any, Dict, List, Sequence

_AFFIXES = (1, 2, 3, 4)
_WINDOW = (-2, -1, 1, 2)


def sentence_features(words: Sequence[str]) -> List[Dict[str, Any]]:
    """
    Returns the features of each word of a sentence: the word in lower case, its shape and the same with repetitions
    left out, prefixes and suffixes of up to four characters, six facts of its form, the words and shapes around it, the
    pairs that it is in, and whether it is the first or the last one.
    """
    lower = [word.lower() for word in words]
    shapes = [shape(word) for word in words]
    return [_features(words, lower, shapes, place) for place in range(len(words))]


def shape(word: str) -> str:
    """Returns a word with each letter as `X` or `x`, each digit as `d`, and all else as it is."""
    return re.sub(r"\d", "d", re.sub(r"[^\W\d_]", lambda letter: "X" if letter[0].isupper() else "x", word))


def _features(words: Sequence[str], lower: Sequence[str], shapes: Sequence[str], place: int) -> Dict[str, Any]:
    word = words[place]
    features: Dict[str, Any] = {
        "bias": 1.0,
        "word": lower[place],
        "shape": shapes[place],
        "short shape": re.sub(r"(.)\1+", r"\1", shapes[place]),
        "is title": word.istitle(),
        "is upper": word.isupper(),
        "is digit": word.isdigit(),
        "has capital": any(character.isupper() for character in word[1:]),
        "has digit": any(character.isdigit() for character in word),
        "has punctuation": not word.isalnum(),
        "is first": place == 0,
        "is last": place == len(words) - 1,
    }
    for length in _AFFIXES:
        if length < len(word):
            features[f"prefix {length}"] = lower[place][:length]
            features[f"suffix {length}"] = lower[place][-length:]
    for offset in _WINDOW:
        if 0 <= place + offset < len(words):
            features[f"word {offset:+d}"] = lower[place + offset]
            features[f"shape {offset:+d}"] = shapes[place + offset]
            if abs(offset) == 1:
                pair = sorted((place, place + offset))
                features[f"pair {offset:+d}"] = " ".join(lower[index] for index in pair)
    return features
