"""Sentences as sequences of characters, as in Xu's thesis, section 5.5.2, for Chinese."""

from dataclasses import replace
from itertools import accumulate
from typing import List, Tuple

from allennlp.data.tokenizers import Token

from nerzoo.text.annotation import Sentence


class CharacterToken(Token):
    """A `Token` of one character with the `word` around it, a feature for `single_id` indexers."""

    __slots__ = ["word"]

    def __init__(self, token: Token, word: str) -> None:
        super().__init__(token.text, idx=token.idx, tag_=token.tag_)
        self.word = word


def split_into_characters(sentence: Sentence) -> Tuple[Sentence, List[str]]:
    """
    Splits the words of a sentence, which has no `tags`, into Unicode code points. Returns the sentence of characters,
    and the word around each. Entities are spans of characters. A character has the part of speech of its word, and no
    head or dependency label.
    """
    bounds = list(accumulate(map(len, sentence.words), initial=0))

    def repeated(values: List[str]) -> List[str]:
        return [value for value, word in zip(values, sentence.words, strict=True) for _ in word]

    space_after = [False] * bounds[-1]
    for end, space in zip(bounds[1:], sentence.space_after or [True] * len(sentence.words), strict=True):
        space_after[end - 1] = space
    characters = replace(
        sentence,
        words=list("".join(sentence.words)),
        pos=None if sentence.pos is None else repeated(sentence.pos),
        heads=None,
        dep_labels=None,
        entities=[entity._replace(start=bounds[entity.start], end=bounds[entity.end]) for entity in sentence.entities],
        space_after=space_after,
    )
    return characters, repeated(sentence.words)
