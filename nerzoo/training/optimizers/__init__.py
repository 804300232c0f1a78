from nerzoo.training.optimizers.fused_adam import FusedAdam
from nerzoo.training.optimizers.per_loss import PerLoss

__all__ = ["FusedAdam", "PerLoss"]
