import logging
import os
from typing import Optional

import numpy
import torch
from allennlp.training import Checkpointer, Trainer
from allennlp.training.trainer import TrainerCheckpoint
from numpy._core.multiarray import scalar

from nerzoo.files import remove_unfinished, written_whole

logger = logging.getLogger(__name__)

BROKEN = ".broken"
"""The ending of the names of checkpoints that could not be read."""


@Checkpointer.register("atomic")
class AtomicCheckpointer(Checkpointer):
    """
    AllenNLP's checkpointer, which it takes the parameters from, but each file is written beside its place, synced and
    renamed: a process that is killed, or a full disk, leaves the checkpoints before it whole. By default the last two
    are kept. A resumed run goes on from the newest one that can be read, and says which that is; others after it are
    set aside as `NAME.broken`, with a warning. It starts anew where none can be read.

    It is the default where nerzoo is imported.
    """

    def save_checkpoint(self, trainer: Trainer) -> None:
        """Writes a checkpoint, in place of one of the same epoch and batch, and removes those that are too old."""
        state = trainer.get_checkpoint_state()
        # There is none in a process that is not the first one of a distributed run.
        if state is not None:
            position = state.trainer_state["epochs_completed"], state.trainer_state["batches_in_epoch_completed"]
            # A checkpoint is looked for by the state of its model, which therefore comes last.
            _save(state.trainer_state, self._training_state_path(*position))
            _save(state.model_state, self._model_state_path(*position))
        # It writes nothing that is there already.
        super().save_checkpoint(trainer)

    def load_checkpoint(self) -> Optional[TrainerCheckpoint]:
        """Reads the newest checkpoint that is whole; returns `None` where there is none."""
        if self._is_primary:
            remove_unfinished(self._serialization_dir)
        for position in sorted(self._find_all_checkpoints(), reverse=True):
            paths = self._model_state_path(*position), self._training_state_path(*position)
            try:
                # The scheduler `cosine` puts numbers of NumPy into the state (learning_rate_schedulers/cosine.py,
                # get_values), which torch.load refuses unless they are named.
                with torch.serialization.safe_globals([scalar, numpy.dtype, numpy.dtypes.Float64DType]):
                    checkpoint = TrainerCheckpoint(*(torch.load(path, map_location="cpu") for path in paths))
            # torch.load has an exception for each of the places where a file may be cut off.
            except Exception as error:
                logger.warning(
                    "%s: found a checkpoint that cannot be read (%s); set aside", paths[0], _first_line(error)
                )
                if self._is_primary:
                    _set_aside(*paths)
                continue
            if self._is_primary:
                epochs, batches = position
                print(f"recovered from {paths[0]}, after {epochs} epochs and {batches} batches", flush=True)
            return checkpoint
        return None


def _save(state: object, path: str) -> None:
    # Given a path, torch.save does not say that the disk is full.
    with written_whole(path) as unfinished, open(unfinished, "wb") as file:
        torch.save(state, file)


def _set_aside(*paths: str) -> None:
    for path in filter(os.path.exists, paths):
        os.replace(path, path + BROKEN)


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)
