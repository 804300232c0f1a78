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
    Makes everything random in training, the order of batches and the dropout in each, follow from the seed, the epoch
    and the number of the batch. A run that was killed and goes on with `--recover` then ends with the same numbers as
    an unbroken run; AllenNLP's checkpoints do not hold the state of the random number generators.
    """

    def on_start(self, trainer: GradientDescentTrainer, is_primary: bool = True, **kwargs: Any) -> None:
        super().on_start(trainer, is_primary, **kwargs)
        # The trainer has no hook before an epoch or a batch, and what draws batches is the data loader.
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
            # For GPUs that are not in use torch.manual_seed keeps a stack trace each time, which takes a millisecond.
            torch.default_generator.manual_seed(seed)
