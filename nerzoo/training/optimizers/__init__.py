from nerzoo.training.optimizers.fused_adam import FusedAdam
from nerzoo.training.optimizers.per_loss import PerLoss
from nerzoo.training.optimizers.sgd import Sgd

__all__ = ["FusedAdam", "PerLoss", "Sgd"]
