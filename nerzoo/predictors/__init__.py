from nerzoo.predictors.ner import NerPredictor

__all__ = ["NerPredictor"]
