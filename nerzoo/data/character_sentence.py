from dataclasses import replace
from itertools import accumulate
from typing import List, Optional, Tuple

from nerzoo.data.annotation import Sentence


def character_sentence(sentence: Sentence) -> Tuple[Sentence, List[str]]:
    """
    A sentence as one of characters, as Xu's thesis, section 5.5.2, has it for Chinese.

    # Parameters

    sentence : `Sentence`
        Without labels of its words, `tags`.

    # Returns

    `Tuple[Sentence, List[str]]`
        The sentence whose words are the characters (Unicode code points) of the words, and of each character the word
        that it stands in. Entities are in characters; a character has its word's part of speech. There are no heads and
        dependency labels: trees are trees of words.
    """
    lengths = [len(word) for word in sentence.words]
    starts = [0, *accumulate(lengths)]

    def repeated(values: List[str]) -> List[str]:
        return [value for value, length in zip(values, lengths, strict=True) for _ in range(length)]

    pos: Optional[List[str]] = None if sentence.pos is None else repeated(sentence.pos)
    space_after = sentence.space_after or [True] * len(lengths)
    characters = replace(
        sentence,
        words=list("".join(sentence.words)),
        pos=pos,
        heads=None,
        dep_labels=None,
        entities=[entity._replace(start=starts[entity.start], end=starts[entity.end]) for entity in sentence.entities],
        space_after=[
            is_last and space
            for length, space in zip(lengths, space_after, strict=True)
            for is_last in [*[False] * (length - 1), True]
        ],
    )
    return characters, repeated(sentence.words)
