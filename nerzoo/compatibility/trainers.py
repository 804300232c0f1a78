"""What trainers were told, and how far they are."""

import warnings

from allennlp.training import GradientDescentTrainer

# training/gradient_descent_trainer.py, batch_outputs and _train_epoch, enter torch.cuda.amp.autocast by its old name.
warnings.filterwarnings("ignore", category=FutureWarning, module="allennlp.training.gradient_descent_trainer")


def num_epochs(trainer: GradientDescentTrainer) -> int:
    """
    Returns the number of epochs that a trainer is to train; training/gradient_descent_trainer.py,
    GradientDescentTrainer.__init__: `self._num_epochs = num_epochs`.
    """
    return trainer._num_epochs


def current_epoch(trainer: GradientDescentTrainer) -> int:
    """
    Returns the number of the epoch that a trainer goes through, from 0. A resumed run goes through the epochs before
    its checkpoint, too, without training. training/gradient_descent_trainer.py, _try_train:
    `self._epochs_completed += 1`.
    """
    return trainer._epochs_completed


def epochs_done(trainer: GradientDescentTrainer) -> int:
    """
    Returns the number of epochs that a model was trained. In a resumed run those before its checkpoint are included
    from the start. training/gradient_descent_trainer.py, _maybe_restore_checkpoint:
    `self._start_after_epochs_completed = training_state["epochs_completed"]`.
    """
    return max(trainer._epochs_completed, trainer._start_after_epochs_completed)


def accumulates_gradients(trainer: GradientDescentTrainer) -> bool:
    """
    Returns whether a trainer makes one step for several batches; training/gradient_descent_trainer.py,
    GradientDescentTrainer.__init__: `self._num_gradient_accumulation_steps = num_gradient_accumulation_steps`.
    """
    return trainer._num_gradient_accumulation_steps > 1


def uses_mixed_precision(trainer: GradientDescentTrainer) -> bool:
    """
    Returns whether a trainer computes in mixed precision; training/gradient_descent_trainer.py,
    GradientDescentTrainer.__init__: `self._use_amp = use_amp`.
    """
    return trainer._use_amp
