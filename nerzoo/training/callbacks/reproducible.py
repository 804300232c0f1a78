import random
from typing import Any, Iterator, cast

import numpy
import torch
from allennlp.data import DataLoader, TensorDict
from allennlp.training import GradientDescentTrainer, TrainerCallback

from nerzoo.allennlp_private import current_epoch


@TrainerCallback.register("reproducible")
class Reproducible(TrainerCallback):
    """
    Sets the seed of each batch from the seed of the run, the epoch and the number of the batch, so that the order of
    batches and the dropout in each depend on nothing else. A run that was killed and goes on with `--recover` then ends
    with the numbers of an unbroken run; AllenNLP's checkpoints do not hold the state of the random number generators.
    """

    def on_start(self, trainer: GradientDescentTrainer, is_primary: bool = True, **kwargs: Any) -> None:
        super().on_start(trainer, is_primary, **kwargs)
        # The trainer has no hook before an epoch or a batch; the data loader draws batches.
        trainer.data_loader = cast(DataLoader, _SeededDataLoader(trainer.data_loader, trainer))


class _SeededDataLoader:
    """Sets the seed before a data loader draws the batches of an epoch and before it hands out each batch."""

    def __init__(self, data_loader: DataLoader, trainer: GradientDescentTrainer) -> None:
        self._data_loader = data_loader
        self._trainer = trainer
        self._seed = torch.initial_seed()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._data_loader, name)

    def __len__(self) -> int:
        return len(self._data_loader)

    def __iter__(self) -> Iterator[TensorDict]:
        epoch = current_epoch(self._trainer)
        self._set_seed(epoch, 0)
        for number, batch in enumerate(self._data_loader, start=1):
            self._set_seed(epoch, number)
            yield batch

    def _set_seed(self, epoch: int, batch: int) -> None:
        seed = int(numpy.random.SeedSequence([self._seed, epoch, batch]).generate_state(1)[0])
        random.seed(seed)
        numpy.random.seed(seed)
        if torch.cuda.is_initialized():
            torch.manual_seed(seed)
        else:
            # torch.manual_seed keeps a stack trace for GPUs that are not in use, which takes a millisecond.
            torch.default_generator.manual_seed(seed)
