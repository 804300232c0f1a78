"""Progress bars, which commands of nerzoo show in place of AllenNLP's: one of a training, not two of each epoch."""

import math
import os
import sys
import time
from typing import Any, Dict, Iterable, Iterator, Optional, Sized, cast

from allennlp.common import logging as common_logging
from allennlp.data import DataLoader, TensorDict
from allennlp.training import GradientDescentTrainer, TrainerCallback
from tqdm import tqdm

from nerzoo.allennlp_private import accumulated_batches, epochs_done, metric_tracker, num_epochs
from nerzoo.text.matching import written_score

ALLENNLP_BARS_OFF = "TQDM_DISABLE"
"""The variable of the environment by which tqdm shows no bars but those that ask for it."""


def progress_bar(iterable: Optional[Iterable[Any]] = None, **options: Any) -> tqdm:
    """
    Returns a progress bar of tqdm, as wide as the terminal, also where AllenNLP's are off. Where the standard error is
    no terminal, it is written once, when it is closed.
    """
    if not _has_terminal():
        # No interval ends before the last item, and nothing is written at the start.
        options |= {"miniters": sys.maxsize, "mininterval": sys.maxsize, "delay": 1e-9}
    return tqdm(iterable, disable=False, dynamic_ncols=True, **options)


def _has_terminal() -> bool:
    return sys.stderr.isatty() and not common_logging.FILE_FRIENDLY_LOGGING


def shown(data_loader: DataLoader, what: str) -> DataLoader:
    """Returns a data loader that shows a bar of its batches."""
    return cast(DataLoader, _ShownDataLoader(data_loader, what))


class _ShownDataLoader:
    def __init__(self, data_loader: DataLoader, what: str) -> None:
        self._data_loader = data_loader
        self._what = what

    def __getattr__(self, name: str) -> Any:
        return getattr(self._data_loader, name)

    def __len__(self) -> int:
        return len(self._data_loader)

    def __iter__(self) -> Iterator[TensorDict]:
        return iter(progress_bar(self._data_loader, desc=self._what, total=_length(self._data_loader), unit=" batches"))


def _length(data: Any) -> Optional[int]:
    try:
        return len(cast(Sized, data))
    except TypeError:
        return None


class TrainingProgress(TrainerCallback):
    """
    Shows how far a training is, where AllenNLP's bars are off: epoch, time left, loss, the validation metric of the
    last epoch and the best one. On a terminal it is a bar, otherwise a line an epoch.
    """

    def __init__(self, serialization_dir: str) -> None:
        super().__init__(serialization_dir)
        self._is_shown = False
        self._bar: Optional[tqdm] = None
        self._start = 0.0
        self._first_epoch = 0
        self._scores = ""

    def on_start(self, trainer: GradientDescentTrainer, is_primary: bool = True, **kwargs: Any) -> None:
        super().on_start(trainer, is_primary, **kwargs)
        self._is_shown = is_primary and bool(os.environ.get(ALLENNLP_BARS_OFF))
        self._start, self._first_epoch = time.monotonic(), epochs_done(trainer)
        if self._is_shown and _has_terminal():
            batches, epochs = _length(trainer.data_loader), num_epochs(trainer)
            steps = None if batches is None else math.ceil(batches / accumulated_batches(trainer))
            self._bar = progress_bar(
                desc=f"epoch {min(self._first_epoch + 1, epochs)} of {epochs}",
                total=None if steps is None else steps * epochs,
                initial=self._first_epoch * (steps or 0),
                # The mean of all batches, which has the time of validation, too.
                smoothing=0,
                bar_format=None if steps is None else "{desc} {percentage:3.0f}%|{bar}| {elapsed}<{remaining}{postfix}",
            )

    def on_batch(
        self,
        trainer: GradientDescentTrainer,
        batch_inputs: Any,
        batch_outputs: Any,
        batch_metrics: Dict[str, Any],
        epoch: int,
        batch_number: int,
        is_training: bool,
        *args: Any,
        **kwargs: Any,
    ) -> None:
        if self._bar is not None and is_training:
            self._bar.set_description_str(f"epoch {epoch + 1} of {num_epochs(trainer)}", refresh=False)
            self._bar.set_postfix_str(f"loss {batch_metrics['loss']:.4f}{self._scores}", refresh=False)
            self._bar.update()

    def on_epoch(
        self, trainer: GradientDescentTrainer, metrics: Dict[str, Any], epoch: int, *args: Any, **kwargs: Any
    ) -> None:
        if not self._is_shown:
            return
        # The first of several metrics is shown.
        _, name = metric_tracker(trainer).tracked_metrics[0]
        loss = f"loss {metrics['training_loss']:.4f}"
        if f"validation_{name}" in metrics:
            last, best = (written_score(name, metrics[f"{kind}validation_{name}"]) for kind in ("", "best_"))
            self._scores = f", validation {name} {last}, best {best} in epoch {metrics['best_epoch'] + 1}"
        if self._bar is not None:
            self._bar.set_postfix_str(f"{loss}{self._scores}")
            return
        seconds = (time.monotonic() - self._start) / (epoch + 1 - self._first_epoch)
        left = tqdm.format_interval(seconds * (num_epochs(trainer) - epoch - 1))
        line = f"epoch {epoch + 1} of {num_epochs(trainer)}: {loss}{self._scores}, {left} left"
        print(line, file=sys.stderr, flush=True)

    def close(self) -> None:
        """Ends the bar. The trainer calls this before `on_end`, where other callbacks print."""
        if self._bar is not None:
            self._bar.close()
