import torch
from allennlp.training.learning_rate_schedulers import LearningRateScheduler

from nerzoo.allennlp_private import TorchLearningRateScheduler


@LearningRateScheduler.register("linear_decay")
class LinearDecay(TorchLearningRateScheduler):
    """
    Lowers the learning rate by the same amount after every epoch, to zero at the end of training: in epoch e of n,
    counted from 0, it is 1 - e / n of the initial one (Dinarelli and Grobol, 2019, section 4.2). AllenNLP's
    `polynomial_decay` lowers it after every batch.

    # Parameters

    optimizer : `torch.optim.Optimizer`
        Not in a configuration.
    num_epochs : `int`
        The number n. Not in a configuration: the trainer gives it.
    """

    def __init__(self, optimizer: torch.optim.Optimizer, num_epochs: int) -> None:
        scheduler = torch.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=num_epochs)
        # AllenNLP names a subclass of what it takes.
        super().__init__(scheduler)  # type: ignore[arg-type]
