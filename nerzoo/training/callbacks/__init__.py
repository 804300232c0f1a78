from nerzoo.training.callbacks.bfloat16 import BFloat16
from nerzoo.training.callbacks.epoch_schedules import DropoutDecay, FrozenTransitions, ScheduledSampling
from nerzoo.training.callbacks.final_report import FinalReport
from nerzoo.training.callbacks.pruning import Pruning
from nerzoo.training.callbacks.reproducible import Reproducible
