from nerzoo.modules.token_embedders.lexical_features import LexicalFeaturesEmbedder

__all__ = ["LexicalFeaturesEmbedder"]
