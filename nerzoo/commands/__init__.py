from nerzoo.commands.convert_threads import ConvertThreads
from nerzoo.commands.cross_predict import CrossPredict
from nerzoo.commands.cross_validate import CrossValidate
from nerzoo.commands.cross_validation_fold import CrossValidationFold
from nerzoo.commands.tune_thresholds import TuneThresholds

__all__ = ["ConvertThreads", "CrossPredict", "CrossValidate", "CrossValidationFold", "TuneThresholds"]
