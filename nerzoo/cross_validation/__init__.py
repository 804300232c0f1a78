from nerzoo.cross_validation.cross_prediction import cross_predict
from nerzoo.cross_validation.cross_validation import cross_validate
from nerzoo.cross_validation.cross_validation_fold import CrossValidationFold

__all__ = ["CrossValidationFold", "cross_predict", "cross_validate"]
