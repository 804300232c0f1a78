from typing import Any, Dict

from allennlp.training import GradientDescentTrainer, TrainerCallback

from nerzoo.allennlp_private import epochs_done


class EpochSchedule(TrainerCallback):
    """
    Sets something in the model before every epoch, as `set_after` says. Only the number of completed epochs counts, and
    so a run may be interrupted and resumed anywhere.
    """

    def on_start(self, trainer: GradientDescentTrainer, is_primary: bool = True, **kwargs: Any) -> None:
        super().on_start(trainer, is_primary, **kwargs)
        # A resumed run passes over the epochs before its checkpoint without a word to the callbacks.
        self.set_after(epochs_done(trainer), trainer)

    def on_epoch(
        self,
        trainer: GradientDescentTrainer,
        metrics: Dict[str, Any],
        epoch: int,
        is_primary: bool = True,
        **kwargs: Any,
    ) -> None:
        self.set_after(epoch + 1, trainer)

    def set_after(self, epochs: int, trainer: GradientDescentTrainer) -> None:
        """Sets what is to hold after this number of epochs, at the end of training, too."""
        raise NotImplementedError
