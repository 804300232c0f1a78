from typing import List, Optional

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.training.learning_rate_schedulers import LearningRateScheduler


@LearningRateScheduler.register("halve_after_plateau")
class HalveAfterPlateau(LearningRateScheduler):
    """
    Keeps the learning rate up to the first epoch that is no better than the best before it by the trainer's
    `validation_metric`, and halves it at the end of that epoch and of each later epoch (Xu, 2017, section 4.2).

    # Parameters

    optimizer : `torch.optim.Optimizer`
        Not to be given in a configuration.

    # Raises

    `ConfigurationError` where there is no validation data.
    """

    def __init__(self, optimizer: torch.optim.Optimizer) -> None:
        super().__init__(optimizer)
        self.best: Optional[float] = None
        self.num_halvings = 0

    def step(self, metric: Optional[float] = None) -> None:
        """Takes the validation metric of an epoch, the higher the better."""
        if metric is None:
            raise ConfigurationError("halve_after_plateau: found no validation metric, expected validation data")
        if self.num_halvings == 0 and (self.best is None or metric > self.best):
            self.best = metric
        else:
            self.num_halvings += 1
        super().step(metric)

    def get_values(self) -> List[float]:
        return [value / 2**self.num_halvings for value in self.base_values]
