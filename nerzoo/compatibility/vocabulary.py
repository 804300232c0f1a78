"""The special tokens of vocabularies, and how often tokens occur."""

from typing import Dict

from allennlp.data import Vocabulary


def padding_token(vocab: Vocabulary) -> str:
    """
    Returns the padding token of all namespaces; data/vocabulary.py, Vocabulary.__init__: `self._padding_token = ...`.
    """
    return vocab._padding_token


def unknown_token(vocab: Vocabulary) -> str:
    """Returns the token for unknown words; data/vocabulary.py, Vocabulary.__init__: `self._oov_token = ...`."""
    return vocab._oov_token


def unknown_index(vocab: Vocabulary, namespace: str) -> int:
    """Returns the index of the token for unknown words in a namespace."""
    return vocab.get_token_index(unknown_token(vocab), namespace)


def token_counts(vocab: Vocabulary, namespace: str) -> Dict[str, int]:
    """
    Returns how often each token occurs in the data that a vocabulary was made from, tokens included that did not get
    into the vocabulary; nothing where it was read from files. data/vocabulary.py, Vocabulary._extend:
    `self._retained_counter = counter`, which only `print_statistics` reads.
    """
    return (vocab._retained_counter or {}).get(namespace, {})
