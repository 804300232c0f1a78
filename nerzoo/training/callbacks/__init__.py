from nerzoo.training.callbacks.falling_dropout import FallingDropout
from nerzoo.training.callbacks.frozen_transitions import FrozenTransitions
from nerzoo.training.callbacks.per_loss import PerLossCallback
from nerzoo.training.callbacks.reproducible import Reproducible

__all__ = ["FallingDropout", "FrozenTransitions", "PerLossCallback", "Reproducible"]
