from nerzoo.training.callbacks.reproducible import Reproducible

__all__ = ["Reproducible"]
