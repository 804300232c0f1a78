from nerzoo.predictors.document_ner import DocumentNerPredictor
from nerzoo.predictors.language_model import LanguageModelPredictor
from nerzoo.predictors.ner import NerPredictor
from nerzoo.predictors.threads import ThreadsPredictor

__all__ = ["DocumentNerPredictor", "LanguageModelPredictor", "NerPredictor", "ThreadsPredictor"]
