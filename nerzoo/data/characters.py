"""Sentences as sequences of characters, as in Xu's thesis, section 5.5.2, for Chinese."""

from dataclasses import replace
from itertools import accumulate
from typing import List, Optional, Tuple

from allennlp.data.tokenizers import Token

from nerzoo.text.annotation import Sentence


class CharacterToken(Token):
    """
    A `Token` of one character that has the word around it, in which a `single_id` indexer with the `feature_name`
    `"word"` finds that word.

    # Parameters

    token : `Token`
        The character.
    word : `str`
        The word around it.
    """

    __slots__ = ["word"]

    def __init__(self, token: Token, word: str) -> None:
        super().__init__(token.text, idx=token.idx, tag_=token.tag_)
        self.word = word


def split_into_characters(sentence: Sentence) -> Tuple[Sentence, List[str]]:
    """
    Splits the words of a sentence into characters, which are Unicode code points.

    # Parameters

    sentence : `Sentence`
        Without `tags`, which are labels of words.

    # Returns

    `Tuple[Sentence, List[str]]`
        The sentence of characters, and the word around each character. Entities are spans of characters. A character
        has the part of speech of its word. There are no heads and dependency labels: trees are trees of words.
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
