from nerzoo.spacy_pipeline.component import NerzooComponent

__all__ = ["NerzooComponent"]
