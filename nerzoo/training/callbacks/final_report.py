import os
from typing import Any, Dict, Optional

from allennlp.training import GradientDescentTrainer, TrainerCallback

from nerzoo.allennlp_private import num_epochs


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
    """Returns the metrics in one line of text, with four decimal places."""
    return ", ".join(f"{name} {value:.4f}" for name, value in metrics.items())


@TrainerCallback.register("final_report")
class FinalReport(TrainerCallback):
    """
    Prints at the end of training the metrics of the model and the path of its archive, whatever the level of logging:
    the metrics of the validation data after the best epoch, whose weights the archive has, or, without validation data,
    those of the training data in the last epoch. AllenNLP evaluates on test data and writes the archive after this.
    """

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
        else:
            last = reported_metrics(metrics, "training_")
            scores = {name: value for name, value in last.items() if not name.endswith("_memory_MB")}
            print(f"training, last epoch: {metrics_line(scores)}")
        archive, others = (os.path.join(self.serialization_dir, name) for name in ("model.tar.gz", "metrics.json"))
        print(f"archive: {archive}; all metrics: {others}", flush=True)
