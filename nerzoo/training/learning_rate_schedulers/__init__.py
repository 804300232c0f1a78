from nerzoo.training.learning_rate_schedulers.reduce_on_plateau import ReduceOnPlateau

__all__ = ["ReduceOnPlateau"]
