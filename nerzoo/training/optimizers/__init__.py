from nerzoo.training.optimizers.per_loss import PerLoss

__all__ = ["PerLoss"]
