from typing import Any, List, Optional, Union

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.training.learning_rate_schedulers import LearningRateScheduler

from nerzoo.allennlp_private import TorchLearningRateScheduler, TorchLearningRateSchedulerWithMetrics
from nerzoo.errors import check_range


@LearningRateScheduler.register("halve_after_plateau")
class HalveAfterPlateau(LearningRateScheduler):
    """
    Keeps the learning rate up to the first epoch that is no better than the best before it by the trainer's
    `validation_metric`, and halves it at the end of that epoch and of each later epoch (Xu, 2017, section 4.2).

    # Parameters

    constant_epochs : `int`, optional (default = `2`)
        The number of epochs that have the whole rate in any case. A high rate may make an epoch worse long before a
        network has learned what it can at that rate.

    # Raises

    `ConfigurationError` where there is no validation data, and with `constant_epochs` below one.
    """

    def __init__(self, optimizer: torch.optim.Optimizer, constant_epochs: int = 2) -> None:
        check_range("constant_epochs", constant_epochs, 1)
        super().__init__(optimizer)
        self.constant_epochs = constant_epochs
        self.best: Optional[float] = None
        self.num_halvings = 0

    def step(self, metric: Optional[float] = None) -> None:
        """Takes the validation metric of an epoch, the higher the better."""
        if metric is None:
            raise ConfigurationError("halve_after_plateau: found no validation metric, expected validation data")
        is_better = self.best is None or metric > self.best
        if self.num_halvings == 0 and is_better:
            self.best = metric
        # `last_epoch` is the number of the epoch before this one, counted from 0.
        elif self.last_epoch + 2 >= self.constant_epochs:
            self.num_halvings += 1
        super().step(metric)

    def get_values(self) -> List[float]:
        return [value / 2**self.num_halvings for value in self.base_values]


@LearningRateScheduler.register("linear_decay")
class LinearDecay(TorchLearningRateScheduler):
    """
    Lowers the learning rate by the same amount after every epoch, to zero at the end of training: in epoch e of n,
    counted from 0, it is 1 - e / n of the initial one (Dinarelli and Grobol, 2019, section 4.2). AllenNLP's
    `polynomial_decay` lowers it after every batch. The trainer gives `num_epochs`.
    """

    def __init__(self, optimizer: torch.optim.Optimizer, num_epochs: int) -> None:
        scheduler = torch.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=num_epochs)
        # AllenNLP annotates a subclass of what it takes.
        super().__init__(scheduler)  # type: ignore[arg-type]


# AllenNLP's own (learning_rate_schedulers/pytorch_lr_schedulers.py, ReduceOnPlateauLearningRateScheduler.__init__)
# hands `verbose` to torch, which no longer accepts it.
@LearningRateScheduler.register("reduce_on_plateau", exist_ok=True)
class ReduceOnPlateau(TorchLearningRateSchedulerWithMetrics):
    """
    Lowers the learning rate when the validation metric no longer improves; the parameters are those of
    `torch.optim.lr_scheduler.ReduceLROnPlateau`.
    """

    def __init__(
        self,
        optimizer: torch.optim.Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold_mode: str = "rel",
        threshold: float = 1e-4,
        cooldown: int = 0,
        min_lr: Union[float, List[float]] = 0,
        eps: float = 1e-8,
    ) -> None:
        # torch annotates literals.
        modes: Any = mode, threshold_mode
        scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(
            optimizer, modes[0], factor, patience, threshold, modes[1], cooldown, min_lr, eps
        )
        # AllenNLP annotates a subclass of what it takes.
        super().__init__(scheduler)  # type: ignore[arg-type]
