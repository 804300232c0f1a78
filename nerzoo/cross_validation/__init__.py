from nerzoo.cross_validation.cross_validation_fold import CrossValidationFold

__all__ = ["CrossValidationFold"]
