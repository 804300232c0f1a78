from typing import Any, Dict, Iterable, List, Tuple


def described_entities(entities: Iterable[Tuple[tuple, float]], sentence: Dict[str, Any]) -> List[Dict[str, Any]]:
    """
    Entities in the form in which predictions give them.

    # Parameters

    entities : `Iterable[Tuple[tuple, float]]`
        Tuples that begin with start, end, exclusive, and type, as `Entity` does; and their probabilities.
    sentence : `Dict[str, Any]`
        Its `words`, `text`, and `offsets`, where the words start in the text.

    # Returns

    `List[Dict[str, Any]]`
        `start` and `end` in words, `label`, `text`, `start_char`, `end_char` and `probability` of each.
    """
    text, offsets, words = sentence["text"], sentence["offsets"], sentence["words"]
    described = []
    for (start, end, label, *_), probability in entities:
        start_char, end_char = offsets[start], offsets[end - 1] + len(words[end - 1])
        described.append(
            {
                "start": start,
                "end": end,
                "label": label,
                "text": text[start_char:end_char],
                "start_char": start_char,
                "end_char": end_char,
                "probability": probability,
            }
        )
    return described
