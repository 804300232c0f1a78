from pathlib import Path
from typing import Any, Dict, Optional

from allennlp.training import GradientDescentTrainer, TrainerCallback

from nerzoo.allennlp_private import num_epochs
from nerzoo.errors import extra


@TrainerCallback.register("pruning")
class Pruning(TrainerCallback):
    """
    Reports the metric of the validation data after each epoch to a study of Optuna, and ends a training that is worse
    than the others: `nerzoo tune` adds it to each trial.

    The rule is the median: a trial ends by `optuna.TrialPruned` after an epoch where its best value so far is below the
    median of the completed trials at that epoch. It holds from the sixth trial on, and after a fifth of the epochs,
    since high dropout and low rates are slow to start. It suits 10 to 40 trials: successive halving would drop three of
    four trials after a few epochs, and hyperband would divide the trials into groups of a few.

    # Parameters

    study : `str`
        The SQLite file with the study, by its path from the folder of the training.
    trial : `int`
        The number of the trial in it.
    metric : `str`
        The name of the metric, such as `"f1"`.
    """

    def __init__(self, serialization_dir: str, study: str, trial: int, metric: str) -> None:
        super().__init__(serialization_dir)
        with extra("tune", ", which the callback 'pruning' reports to"):
            import optuna
        self._optuna = optuna
        self._study, self._number, self._metric = study, trial, metric
        self._trial: Optional[optuna.Trial] = None

    def on_start(self, trainer: GradientDescentTrainer, is_primary: bool = True, **kwargs: Any) -> None:
        super().on_start(trainer, is_primary, **kwargs)
        storage = self._optuna.storages.RDBStorage(f"sqlite:///{Path(self.serialization_dir, self._study)}")
        pruner = self._optuna.pruners.MedianPruner(n_warmup_steps=num_epochs(trainer) // 5)
        study = self._optuna.load_study(study_name=None, storage=storage, pruner=pruner)
        study_id = storage.get_study_id_from_name(study.study_name)
        number = storage.get_trial_id_from_study_id_trial_number(study_id, self._number)
        self._trial = self._optuna.Trial(study, number)

    def on_epoch(
        self, trainer: GradientDescentTrainer, metrics: Dict[str, Any], epoch: int, *args: Any, **kwargs: Any
    ) -> None:
        assert self._trial is not None
        self._trial.report(metrics[f"validation_{self._metric}"], epoch)
        if self._trial.should_prune():
            raise self._optuna.TrialPruned(f"epoch {epoch}")
