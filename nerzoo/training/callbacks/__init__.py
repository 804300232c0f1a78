from nerzoo.training.callbacks.bfloat16 import BFloat16 as BFloat16
from nerzoo.training.callbacks.epoch_schedules import (
    DropoutDecay as DropoutDecay,
    FrozenTransitions as FrozenTransitions,
    ScheduledSampling as ScheduledSampling,
)
from nerzoo.training.callbacks.final_report import FinalReport as FinalReport
from nerzoo.training.callbacks.reproducible import Reproducible as Reproducible
