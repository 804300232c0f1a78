from allennlp.data.tokenizers import Token


class CharacterToken(Token):
    """
    A `Token` that is a character, and knows the word that it stands in: a `single_id` indexer with the `feature_name`
    `"word"` finds it.

    # Parameters

    token : `Token`
        The character.
    word : `str`
    """

    __slots__ = ["word"]

    def __init__(self, token: Token, word: str) -> None:
        super().__init__(token.text, idx=token.idx, tag_=token.tag_)
        self.word = word
