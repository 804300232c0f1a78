from nerzoo.training.learning_rate_schedulers.halve_after_plateau import HalveAfterPlateau
from nerzoo.training.learning_rate_schedulers.linear_decay import LinearDecay
from nerzoo.training.learning_rate_schedulers.reduce_on_plateau import ReduceOnPlateau

__all__ = ["HalveAfterPlateau", "LinearDecay", "ReduceOnPlateau"]
