"""What indexers read of tokens."""

from typing import Optional

from allennlp.data import TokenIndexer


def feature_name(indexer: TokenIndexer) -> Optional[str]:
    """
    Returns the name of the attribute of tokens that an indexer reads, if the indexer has it;
    data/token_indexers/single_id_token_indexer.py, SingleIdTokenIndexer.__init__: `self._feature_name = feature_name`.
    """
    return getattr(indexer, "_feature_name", None)
