from nerzoo.predictors.document_ner import DocumentNerPredictor
from nerzoo.predictors.ner import NerPredictor

__all__ = ["DocumentNerPredictor", "NerPredictor"]
