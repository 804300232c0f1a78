"""What an exported tagger is told of the token indexers of a model, by their configuration."""

from inspect import signature
from typing import Any, Callable, Dict, List, NamedTuple, Optional

from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary

from nerzoo.allennlp_private import unknown_index
from nerzoo.data.token_indexers.word_forms import UNKNOWN_CAPITALIZED


class ExportedInput(NamedTuple):
    """The settings of a `nerzoo.runtime.word_input.WordInput`, and the tokens of its vocabulary, if it has one."""

    settings: Dict[str, Any]
    vocabulary: Optional[List[str]] = None

    @property
    def name(self) -> str:
        """The name of the input."""
        return self.settings["name"]

    @property
    def is_characters(self) -> bool:
        """Whether it has the indices of characters, not vectors of words."""
        return self.settings["type"].endswith("characters")


def exported_inputs(name: str, indexer: Any, vocab: Vocabulary) -> List[ExportedInput]:
    """
    # Parameters

    name : `str`
        The name of a token indexer.
    indexer : `Union[str, Dict[str, Any]]`
        Its configuration.
    vocab : `Vocabulary`

    # Returns

    `List[ExportedInput]`
        The inputs that it gives: `word_characters` words and their characters, each other one a single input.

    # Raises

    `ConfigurationError`, naming it, where there is an indexer or an option that cannot be exported.
    """
    options = dict(indexer) if isinstance(indexer, dict) else {"type": indexer}
    type_ = options.pop("type", "single_id")
    if type_ not in _INDEXERS:
        raise ConfigurationError(
            f"found the token indexer {name!r} of the type {type_}, expected one of {', '.join(_INDEXERS)}"
        )
    # Prediction does not depend on how much is padded.
    options.pop("token_min_padding_length", None)
    known = [option for option in signature(_INDEXERS[type_]).parameters if option not in ("name", "vocab")]
    for option in options:
        if option not in known:
            expected = f"no options but {', '.join(known)}" if known else "no options"
            raise ConfigurationError(
                f"found the option {option} of the token indexer {name!r} of the type {type_}, expected {expected}"
            )
    return _INDEXERS[type_](name, vocab, **options)


def _single_id(
    name: str, vocab: Vocabulary, namespace: str = "tokens", lowercase_tokens: bool = False
) -> List[ExportedInput]:
    return [_words(name, vocab, namespace, lowercase_tokens)]


def _cased_unknown(name: str, vocab: Vocabulary, namespace: str = "tokens") -> List[ExportedInput]:
    words = _words(name, vocab, namespace, False)
    words.settings["unknown_capitalized"] = vocab.get_token_index(UNKNOWN_CAPITALIZED, namespace)
    return [words]


def _characters(
    name: str, vocab: Vocabulary, namespace: str = "token_characters", min_padding_length: int = 0
) -> List[ExportedInput]:
    return [_of_vocabulary(name, "characters", vocab, namespace, min_length=min_padding_length, max_length=None)]


def _hashed_characters(name: str, vocab: Vocabulary, min_padding_length: int = 1) -> List[ExportedInput]:
    return [ExportedInput(_settings(name, "hashed_characters", min_length=min_padding_length, max_length=None))]


def _lexical_features(name: str, vocab: Vocabulary) -> List[ExportedInput]:
    return [ExportedInput(_settings(name, "lexical_features"))]


def _word_characters(
    name: str,
    vocab: Vocabulary,
    namespace: str = "tokens",
    character_namespace: str = "token_characters",
    lowercase_words: bool = False,
    zero_digits: bool = False,
    max_word_length: int = 500,
    min_padding_length: int = 1,
) -> List[ExportedInput]:
    inputs = [
        _words(name, vocab, namespace, lowercase_words),
        *_characters(f"{name}.characters", vocab, character_namespace, min_padding_length),
    ]
    inputs[1].settings["max_length"] = max_word_length
    return _with_zeros(inputs) if zero_digits else inputs


def _zero_digits(name: str, vocab: Vocabulary, indexer: Any) -> List[ExportedInput]:
    return _with_zeros(exported_inputs(name, indexer, vocab))


_INDEXERS: Dict[str, Callable[..., List[ExportedInput]]] = {
    "single_id": _single_id,
    "cased_unknown": _cased_unknown,
    "characters": _characters,
    "cached_characters": _characters,
    "hashed_characters": _hashed_characters,
    "lexical_features": _lexical_features,
    "word_characters": _word_characters,
    "zero_digits": _zero_digits,
}
"""By their types, whose options they have; others are not exported."""


def _with_zeros(inputs: List[ExportedInput]) -> List[ExportedInput]:
    for part in inputs:
        part.settings["zero_digits"] = True
    return inputs


def _words(name: str, vocab: Vocabulary, namespace: str, lowercase: bool) -> ExportedInput:
    return _of_vocabulary(name, "words", vocab, namespace, lowercase=lowercase, unknown_capitalized=None)


def _of_vocabulary(name: str, type_: str, vocab: Vocabulary, namespace: str, **settings: Any) -> ExportedInput:
    tokens = vocab.get_index_to_token_vocabulary(namespace)
    settings["unknown"] = unknown_index(vocab, namespace)
    return ExportedInput(_settings(name, type_, **settings), [tokens[index] for index in range(len(tokens))])


def _settings(name: str, type_: str, **settings: Any) -> Dict[str, Any]:
    return {"name": name, "type": type_, "zero_digits": False, **settings}
