from nerzoo.training.callbacks.bfloat16 import BFloat16
from nerzoo.training.callbacks.dropout_decay import DropoutDecay
from nerzoo.training.callbacks.final_report import FinalReport
from nerzoo.training.callbacks.frozen_transitions import FrozenTransitions
from nerzoo.training.callbacks.per_loss import PerLossCallback
from nerzoo.training.callbacks.reproducible import Reproducible
from nerzoo.training.callbacks.scheduled_sampling import ScheduledSampling

__all__ = [
    "BFloat16",
    "DropoutDecay",
    "FinalReport",
    "FrozenTransitions",
    "PerLossCallback",
    "Reproducible",
    "ScheduledSampling",
]
