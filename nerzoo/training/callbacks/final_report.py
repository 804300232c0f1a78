import os
from typing import Any, Dict, List, Optional

from allennlp.models import Model
from allennlp.training import GradientDescentTrainer, TrainerCallback

from nerzoo.allennlp_private import num_epochs
from nerzoo.text.matching import precision_recall_f, written_score
from nerzoo.text.rendering import aligned
from nerzoo.training.metrics.counting_metric import CountingMetric
from nerzoo.training.resuming import metrics_of

_MOST_TYPES = 20


def reported_metrics(metrics: Dict[str, Any], prefix: str = "") -> Dict[str, float]:
    """
    Returns the metrics whose names begin with `prefix`, under the rest of their names. Omits what is not a single
    number, and names with a leading underscore, which AllenNLP does not show.
    """
    named = {name.removeprefix(prefix): value for name, value in metrics.items() if name.startswith(prefix)}
    return {
        name: value for name, value in named.items() if isinstance(value, (int, float)) and not name.startswith("_")
    }


def metrics_line(metrics: Dict[str, float]) -> str:
    """Returns the metrics in one line of text, see `written_score`."""
    return ", ".join(f"{name} {written_score(name, value)}" for name, value in metrics.items())


def scores_by_type(model: Model) -> Dict[str, List[int]]:
    """
    Returns the numbers of correct, predicted and gold items of each type in the last data that a model was evaluated
    on, those of the first of its metrics that tells types apart; nothing where none does.
    """
    found = (metric.last_by_type() for _, metric in metrics_of(model) if isinstance(metric, CountingMetric))
    return next(filter(None, found), {})


def type_table(by_type: Dict[str, List[int]]) -> str:
    """Returns the rows of `type_rows` as a table."""
    return aligned([["", "precision", "recall", "F1", "gold"], *type_rows(by_type)], to_the_right=True)


def type_rows(by_type: Dict[str, List[int]]) -> List[List[str]]:
    """
    Returns precision, recall, F1 and the number of gold items of all types, and of each, the most frequent ones first,
    from numbers of correct, predicted and gold items.
    """
    occurring = {type_: counts for type_, counts in by_type.items() if any(counts)}
    types = sorted(occurring, key=lambda type_: -occurring[type_][2])
    rows = []
    total = [sum(column) for column in zip(*by_type.values(), strict=True)]
    for name, counts in [("all", total), *((type_, occurring[type_]) for type_ in types[:_MOST_TYPES])]:
        scores = precision_recall_f(*counts)
        rows.append([name, *(written_score(score, value) for score, value in scores.items()), str(counts[2])])
    if len(types) > _MOST_TYPES:
        rows.append([f"and {len(types) - _MOST_TYPES} more", "", "", "", ""])
    return rows


@TrainerCallback.register("final_report")
class FinalReport(TrainerCallback):
    """
    Prints at the end of training the metrics of the model and the path of its archive, whatever the level of logging:
    the metrics of the validation data after the best epoch, whose weights the archive has, or, without validation data,
    those of the training data in the last epoch. AllenNLP evaluates on test data and writes the archive after this.
    Where a metric tells types apart, there is a table of them.
    """

    def __init__(self, serialization_dir: str) -> None:
        super().__init__(serialization_dir)
        self._table = ""

    def on_epoch(
        self, trainer: GradientDescentTrainer, metrics: Dict[str, Any], epoch: int, *args: Any, **kwargs: Any
    ) -> None:
        by_type = scores_by_type(trainer.model)
        if metrics["best_epoch"] == epoch and by_type:
            self._table = type_table(by_type)

    def state_dict(self) -> Dict[str, Any]:
        return {"table": self._table}

    def load_state_dict(self, state_dict: Dict[str, Any]) -> None:
        # Checkpoints of earlier versions have none.
        self._table = state_dict.get("table", "")

    def on_end(
        self,
        trainer: GradientDescentTrainer,
        metrics: Optional[Dict[str, Any]] = None,
        epoch: Optional[int] = None,
        is_primary: bool = True,
        **kwargs: Any,
    ) -> None:
        # There are none where training was interrupted.
        if metrics is None or not is_primary:
            return
        best = reported_metrics(metrics, "best_validation_")
        if best:
            print(f"validation, epoch {metrics['best_epoch'] + 1} of {num_epochs(trainer)}: {metrics_line(best)}")
            if self._table:
                print(self._table)
        else:
            last = reported_metrics(metrics, "training_")
            scores = {name: value for name, value in last.items() if not name.endswith("_memory_MB")}
            print(f"training, last epoch: {metrics_line(scores)}")
        archive, others = (os.path.join(self.serialization_dir, name) for name in ("model.tar.gz", "metrics.json"))
        print(f"archive: {archive}; all metrics: {others}", flush=True)
