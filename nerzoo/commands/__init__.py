from nerzoo.commands.convert_threads import ConvertThreads
from nerzoo.commands.cross_validate import CrossValidate
from nerzoo.commands.cross_validation_fold import CrossValidationFold

__all__ = ["ConvertThreads", "CrossValidate", "CrossValidationFold"]
