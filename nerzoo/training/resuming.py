"""Parts of a run that can be interrupted at any time: checkpoints, what they keep, and the end by SIGTERM."""

import logging
import os
import signal
import threading
from contextlib import contextmanager
from types import FrameType
from typing import Any, Dict, Iterator, Optional, Tuple

import numpy
import torch
from allennlp.training import Checkpointer, GradientDescentTrainer, Trainer, TrainerCallback
from allennlp.training.metrics import Metric
from allennlp.training.trainer import TrainerCheckpoint
from numpy._core.multiarray import scalar

from nerzoo.files import remove_unfinished, written_whole

logger = logging.getLogger(__name__)

EXIT_CODE = 128 + signal.SIGTERM

BROKEN = ".broken"
"""The ending of the names of checkpoints that could not be read."""


@Checkpointer.register("atomic")
class AtomicCheckpointer(Checkpointer):
    """
    AllenNLP's checkpointer, whose parameters it has, but each file is written beside its place, synced and renamed: a
    process that is killed, or a full disk, leaves older checkpoints whole. By default the last two are kept. A resumed
    run goes on from the newest checkpoint that can be read, and names it; newer ones are renamed to `NAME.broken`, with
    a warning. The run starts anew where none can be read.

    It is the default where nerzoo is imported.
    """

    def save_checkpoint(self, trainer: Trainer) -> None:
        """Writes a checkpoint, replaces one of the same epoch and batch, and removes those that are too old."""
        state = trainer.get_checkpoint_state()
        # Only the first process of a distributed run has a state.
        if state is not None:
            position = state.trainer_state["epochs_completed"], state.trainer_state["batches_in_epoch_completed"]
            # A checkpoint is found by the state of its model, which is therefore written last.
            for part, path in (
                (state.trainer_state, self._training_state_path(*position)),
                (state.model_state, self._model_state_path(*position)),
            ):
                # torch.save reports a full disk only for an open file, not for a path.
                with written_whole(path) as unfinished, open(unfinished, "wb") as file:
                    torch.save(part, file)
        # AllenNLP's does not write a file that exists already.
        super().save_checkpoint(trainer)

    def load_checkpoint(self) -> Optional[TrainerCheckpoint]:
        """Reads the newest checkpoint that is whole; returns `None` where there is none."""
        if self._is_primary:
            remove_unfinished(self._serialization_dir)
        for position in sorted(self._find_all_checkpoints(), reverse=True):
            paths = self._model_state_path(*position), self._training_state_path(*position)
            try:
                # The scheduler `cosine` puts numbers of NumPy into the state (learning_rate_schedulers/cosine.py,
                # get_values), which torch.load accepts only if they are named.
                with torch.serialization.safe_globals([scalar, numpy.dtype, numpy.dtypes.Float64DType]):
                    checkpoint = TrainerCheckpoint(*(torch.load(path, map_location="cpu") for path in paths))
            # torch.load raises different exceptions, depending on where a file was cut off.
            except Exception as error:
                reason = next(iter(str(error).splitlines()), type(error).__name__)
                logger.warning("%s: found a checkpoint that cannot be read (%s); set aside", paths[0], reason)
                if self._is_primary:
                    for path in filter(os.path.exists, paths):
                        os.replace(path, path + BROKEN)
                continue
            if self._is_primary:
                epochs, batches = position
                print(f"recovered from {paths[0]}, after {epochs} epochs and {batches} batches", flush=True)
            return checkpoint
        return None


class Terminated(Exception):
    """Raised between two batches of a training that was told to end."""


class Termination(TrainerCallback):
    """
    Ends a training after the batch that a SIGTERM finds it in, as schedulers of jobs send it some time before a
    SIGKILL. Before the first batch there is nothing to save, and the process ends at once.
    """

    def __init__(self, serialization_dir: str) -> None:
        super().__init__(serialization_dir)
        self._trains = self._is_told = False

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Listens for SIGTERM within the block, where Python lets this thread do so."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGTERM, self._note)
        try:
            yield
            # The last batch is through, and all is saved.
            if self._is_told:
                raise SystemExit(EXIT_CODE)
        finally:
            signal.signal(signal.SIGTERM, before)

    def before_batch(self) -> None:
        """Notes that from here on there is something to save."""
        self._trains = True

    def on_batch(self, *args: Any, **kwargs: Any) -> None:
        """Raises `Terminated` where the process was told to end."""
        if self._is_told:
            raise Terminated

    def _note(self, number: int, frame: Optional[FrameType]) -> None:
        if not self._trains:
            raise SystemExit(EXIT_CODE)
        self._is_told = True


class LossScale(TrainerCallback):
    """
    Keeps in checkpoints the scale of losses in mixed precision. AllenNLP's own lack it: a resumed run would begin with
    the first scale again, and leave out steps until it has found the right one.
    """

    def __init__(self, serialization_dir: str, scaler: Optional[torch.amp.GradScaler]) -> None:
        super().__init__(serialization_dir)
        self._scaler = scaler

    def state_dict(self) -> Dict[str, Any]:
        return {} if self._scaler is None else self._scaler.state_dict()

    def load_state_dict(self, state_dict: Dict[str, Any]) -> None:
        if self._scaler is not None and state_dict:
            self._scaler.load_state_dict(state_dict)


class EpochProgress(TrainerCallback):
    """
    Keeps in checkpoints what an epoch has measured so far in training: the sums of its losses and the counts in the
    metrics of the model or, after the last batch, its metrics. AllenNLP's own checkpoints lack them: an epoch that is
    resumed in its middle would report its second half, divided by the number of all batches.
    """

    def __init__(self, serialization_dir: str) -> None:
        super().__init__(serialization_dir)
        self.trainer: GradientDescentTrainer
        self._before: Dict[str, float] = {}
        self._sums: Dict[str, float] = {}
        self._metrics: Optional[Dict[str, Any]] = None
        self._counts: Dict[str, Any] = {}

    def on_start(self, trainer: GradientDescentTrainer, is_primary: bool = True, **kwargs: Any) -> None:
        super().on_start(trainer, is_primary, **kwargs)
        self.trainer = trainer
        for name, metric in metrics_of(trainer.model):
            for attribute, value in self._counts.get(name, {}).items():
                found = getattr(metric, attribute)
                if isinstance(found, dict):
                    found.clear()
                    found.update(value)
                else:
                    setattr(metric, attribute, value)

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
        if is_training:
            means = {name: batch_metrics[name] for name in ("loss", "reg_loss") if name in batch_metrics}
            self._sums = {name: mean * batch_number + self._before.get(name, 0.0) for name, mean in means.items()}

    def on_epoch(self, *args: Any, **kwargs: Any) -> None:
        self._before, self._sums, self._metrics = {}, {}, None

    def complete(self, metrics: Dict[str, Any], num_batches: int) -> Dict[str, Any]:
        """Returns the metrics of a whole epoch, given the metrics of its part after the checkpoint."""
        if self._metrics is None:
            # AllenNLP has no metrics where the checkpoint was after the last batch.
            metrics = metrics or self.trainer.model.get_metrics(reset=True)
            losses = {name: metrics.get(name, 0.0) + total / num_batches for name, total in self._before.items()}
            self._metrics = {**metrics, **losses}
        return dict(self._metrics)

    def state_dict(self) -> Dict[str, Any]:
        # In validation the counts are those of an evaluation, which starts anew in a resumed run.
        counts = {name: _plain(vars(metric)) for name, metric in metrics_of(self.trainer.model)}
        return {"sums": self._sums, "metrics": self._metrics, "counts": counts if self._metrics is None else {}}

    def load_state_dict(self, state_dict: Dict[str, Any]) -> None:
        self._before = self._sums = state_dict["sums"]
        self._metrics, self._counts = state_dict["metrics"], state_dict["counts"]


def metrics_of(model: torch.nn.Module) -> Iterator[Tuple[str, Metric]]:
    """Yields the metrics of a model, attributes of its modules or in lists and dictionaries there, with their names."""
    for module_name, module in model.named_modules():
        for attribute, value in vars(module).items():
            name = f"{module_name}.{attribute}"
            parts = value if isinstance(value, dict) else dict(enumerate(value)) if isinstance(value, list) else {}
            for key, part in {name: value, **{f"{name}.{key}": part for key, part in parts.items()}}.items():
                if isinstance(part, Metric):
                    yield key, part


def _plain(attributes: Dict[str, Any]) -> Dict[str, Any]:
    """Returns the attributes that `torch.load` accepts, subclasses of dictionaries as plain ones."""
    return {
        name: dict(value) if isinstance(value, dict) else value
        for name, value in attributes.items()
        if _is_plain(value)
    }


def _is_plain(value: Any) -> bool:
    if isinstance(value, dict):
        return all(_is_plain(part) for item in value.items() for part in item)
    if isinstance(value, (list, tuple)):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, (bool, int, float, str, torch.Tensor))
