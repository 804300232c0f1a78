from typing import List, Union

import torch
from allennlp.training.learning_rate_schedulers import LearningRateScheduler

from nerzoo.allennlp_private import TorchLearningRateSchedulerWithMetrics


# AllenNLP's own (learning_rate_schedulers/pytorch_lr_schedulers.py, ReduceOnPlateauLearningRateScheduler.__init__)
# hands `verbose` to torch, which no longer takes it.
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
        scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(
            optimizer,
            mode,  # type: ignore[arg-type]
            factor,
            patience,
            threshold,
            threshold_mode,  # type: ignore[arg-type]
            cooldown,
            min_lr,
            eps,
        )
        # AllenNLP names a subclass of what it takes.
        super().__init__(scheduler)  # type: ignore[arg-type]
