"""Words as running text."""

from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple


def running_text(words: Sequence[str], space_after: Optional[Sequence[bool]] = None) -> str:
    """Returns words as a text; `space_after` says whether white space follows each of them, as it does by default."""
    if space_after is None:
        return " ".join(words)
    spaces = [" " * space for space in space_after[:-1]] + [""]
    return "".join(word + space for word, space in zip(words, spaces, strict=True))


def word_offsets(words: Iterable[str], text: str, start: int = 0) -> List[int]:
    """
    Returns the position of each word's first character in a text that has the words in this order, from `start` on.
    Raises `ValueError` where it does not have a word.
    """
    offsets, end = [], start
    for word in words:
        offsets.append(text.index(word, end))
        end = offsets[-1] + len(word)
    return offsets


def entities_to_json(
    entities: Iterable[Tuple[tuple, Optional[float]]], sentence: Dict[str, Any]
) -> List[Dict[str, Any]]:
    """
    Turns entities into JSON objects, of which `sentence_from_json` reads `start`, `end` and `label`.

    # Parameters

    entities : `Iterable[Tuple[tuple, Optional[float]]]`
        Pairs of an entity, a tuple that begins with start, end, exclusive, and label, and its probability, if known.
    sentence : `Dict[str, Any]`
        The `words` of the sentence, its `text`, and `offsets`, the position in the text of each word's first character.

    # Returns

    `List[Dict[str, Any]]`
        `start` and `end` in words, `label`, `text`, `start_char`, `end_char` and, if known, `probability` of each
        entity.
    """
    text, offsets, words = sentence["text"], sentence["offsets"], sentence["words"]
    objects = []
    for (start, end, label, *_), probability in entities:
        start_char, end_char = offsets[start], offsets[end - 1] + len(words[end - 1])
        obj = {
            "start": start,
            "end": end,
            "label": label,
            "text": text[start_char:end_char],
            "start_char": start_char,
            "end_char": end_char,
        }
        objects.append(obj if probability is None else {**obj, "probability": probability})
    return objects
