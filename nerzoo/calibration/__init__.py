from nerzoo.calibration.calibrate import calibrate
from nerzoo.calibration.promises import Coverage, Precision, Promise

__all__ = ["Coverage", "Precision", "Promise", "calibrate"]
