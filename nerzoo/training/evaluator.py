from typing import Any, Dict, List

from allennlp.data import DataLoader
from allennlp.evaluation import Evaluator, SimpleEvaluator
from allennlp.models import Model

from nerzoo.training.callbacks.final_report import scores_by_type
from nerzoo.training.progress import shown

BY_TYPE = "by_type"
"""The name of the counts by type in metrics."""


@Evaluator.register("by_type")
class ByTypeEvaluator(SimpleEvaluator):
    """
    Evaluates as AllenNLP's `simple` does, whose parameters it has, and adds `by_type` to the metrics that it returns,
    but not to those in the file: the numbers of correct, predicted and gold items of each type, if the model has a
    metric that tells types apart. `nerzoo evaluate` uses it.
    """

    def __call__(self, model: Model, data_loader: DataLoader, *args: Any, **kwargs: Any) -> Dict[str, Any]:
        metrics = super().__call__(model, shown(data_loader, "evaluating"), *args, **kwargs)
        by_type: Dict[str, List[int]] = scores_by_type(model)
        return {**metrics, BY_TYPE: by_type} if by_type else metrics
