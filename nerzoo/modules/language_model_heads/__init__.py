from nerzoo.modules.language_model_heads.adaptive_softmax import AdaptiveSoftmaxHead
from nerzoo.modules.language_model_heads.language_model_head import LanguageModelHead
from nerzoo.modules.language_model_heads.nce import NceHead
from nerzoo.modules.language_model_heads.softmax import SoftmaxHead

__all__ = ["AdaptiveSoftmaxHead", "LanguageModelHead", "NceHead", "SoftmaxHead"]
