from nerzoo.data.token_indexers.lexical_features import NUM_LEXICAL_FEATURES, LexicalFeaturesIndexer

__all__ = ["NUM_LEXICAL_FEATURES", "LexicalFeaturesIndexer"]
