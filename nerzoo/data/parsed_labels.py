"""The labels of parsers, compared with those that a model was trained on."""

from typing import Iterable, Mapping, Sequence, Set

from allennlp.common.checks import ConfigurationError
from allennlp.data import Token, TokenIndexer, Vocabulary
from allennlp.data.token_indexers import SingleIdTokenIndexer

from nerzoo.allennlp_private import feature_name

FEATURES = {"tag_": "pos", "dep_": "dep_labels"}
"""The annotation of sentences that token indexers read, by the attribute of tokens that has it."""
_DESCRIPTIONS = {"tag_": "part-of-speech tags", "dep_": "dependency labels"}
# The label of spaCy's parsers for an arc that has none.
_NO_LABEL = "dep"


def known_labels(indexers: Mapping[str, TokenIndexer], vocab: Vocabulary) -> dict[str, Set[str]]:
    """Returns the labels that a model knows, by the attribute of tokens that it reads: `tag_` or `dep_`."""
    known: dict[str, Set[str]] = {}
    for indexer in indexers.values():
        feature = feature_name(indexer)
        if feature in _DESCRIPTIONS and isinstance(indexer, SingleIdTokenIndexer) and indexer.namespace:
            names = vocab.get_token_to_index_vocabulary(indexer.namespace)
            known[feature] = {label for label in names if not label.startswith("@@")}
    return known


def check_labels(feature: str, found: Iterable[str], known: Set[str], source: str, remedy: str) -> None:
    """
    Raises `ConfigurationError`, which names them, for labels of a parser that the model does not know. `source` is the
    place where they were found, and `remedy` says what to do.
    """
    unknown = sorted(set(found) - known - {_NO_LABEL})
    if unknown:
        raise ConfigurationError(
            f"found the {_DESCRIPTIONS[feature]}{source} {', '.join(map(repr, unknown))}, which the model does not "
            f"know, expected those that it was trained on: {', '.join(map(repr, sorted(known)))}. {remedy}"
        )


def check_parsed(tokens: Sequence[Token], indexers: Mapping[str, TokenIndexer], vocab: Vocabulary, parser: str) -> None:
    """Raises `ConfigurationError` where a parser has found labels for tokens that the model does not know."""
    for feature, known in known_labels(indexers, vocab).items():
        found = (getattr(token, feature) for token in tokens)
        remedy = "The model needs the parser that it was trained with, or one trained on its treebank"
        check_labels(feature, found, known, f" of the parser {parser!r}", remedy)
