from nerzoo.modules.language_model_losses.adaptive_softmax import AdaptiveSoftmaxLoss
from nerzoo.modules.language_model_losses.language_model_loss import LanguageModelLoss
from nerzoo.modules.language_model_losses.nce import NceLoss
from nerzoo.modules.language_model_losses.softmax import SoftmaxLoss

__all__ = ["AdaptiveSoftmaxLoss", "LanguageModelLoss", "NceLoss", "SoftmaxLoss"]
