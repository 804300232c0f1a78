from typing import Any, Dict, Iterator, Optional, Tuple

import torch
from allennlp.training import GradientDescentTrainer, TrainerCallback
from allennlp.training.metrics import Metric

_LOSSES = ("loss", "reg_loss")


class EpochProgress(TrainerCallback):
    """
    Keeps in checkpoints what an epoch has measured in training up to there: the sums of its losses and the counts in
    the metrics of the model or, once it is through, its metrics. AllenNLP's own checkpoints lack them, so that an epoch
    that is resumed in its middle reports its second half, divided by the number of all batches.
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
        for name, metric in _metrics(trainer.model):
            _restore(metric, self._counts.get(name, {}))

    def on_batch(
        self,
        trainer: GradientDescentTrainer,
        batch_inputs: Any,
        batch_outputs: Any,
        batch_metrics: Dict[str, Any],
        epoch: int,
        batch_number: int,
        is_training: bool,
        is_primary: bool = True,
        batch_grad_norm: Optional[float] = None,
        **kwargs: Any,
    ) -> None:
        if is_training:
            means = {name: batch_metrics[name] for name in _LOSSES if name in batch_metrics}
            self._sums = {name: mean * batch_number + self._before.get(name, 0.0) for name, mean in means.items()}

    def on_epoch(self, *args: Any, **kwargs: Any) -> None:
        self._before, self._sums, self._metrics = {}, {}, None

    def complete(self, metrics: Dict[str, Any], num_batches: int) -> Dict[str, Any]:
        """Returns the metrics of a whole epoch, from those of its part after the checkpoint that it went on from."""
        if self._metrics is None:
            # AllenNLP has no metrics where the checkpoint was after the last batch.
            metrics = metrics or self.trainer.model.get_metrics(reset=True)
            losses = {name: metrics.get(name, 0.0) + total / num_batches for name, total in self._before.items()}
            self._metrics = {**metrics, **losses}
        return dict(self._metrics)

    def state_dict(self) -> Dict[str, Any]:
        # In validation the counts are those of an evaluation that starts anew.
        counts = {name: _plain(vars(metric)) for name, metric in _metrics(self.trainer.model)}
        return {"sums": self._sums, "metrics": self._metrics, "counts": counts if self._metrics is None else {}}

    def load_state_dict(self, state_dict: Dict[str, Any]) -> None:
        self._before = self._sums = state_dict["sums"]
        self._metrics, self._counts = state_dict["metrics"], state_dict["counts"]


def _metrics(model: torch.nn.Module) -> Iterator[Tuple[str, Metric]]:
    """Yields the metrics of a model, attributes of its modules or in lists and dictionaries there, with their names."""
    for module_name, module in model.named_modules():
        for attribute, value in vars(module).items():
            name = f"{module_name}.{attribute}"
            parts = value if isinstance(value, dict) else dict(enumerate(value)) if isinstance(value, list) else {}
            for key, part in {name: value, **{f"{name}.{key}": part for key, part in parts.items()}}.items():
                if isinstance(part, Metric):
                    yield key, part


def _is_plain(value: Any) -> bool:
    if isinstance(value, dict):
        return all(_is_plain(part) for item in value.items() for part in item)
    if isinstance(value, (list, tuple)):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, (bool, int, float, str, torch.Tensor))


def _plain(attributes: Dict[str, Any]) -> Dict[str, Any]:
    """The attributes that `torch.load` takes, dictionaries of any class as such."""
    return {
        name: dict(value) if isinstance(value, dict) else value
        for name, value in attributes.items()
        if _is_plain(value)
    }


def _restore(metric: Metric, attributes: Dict[str, Any]) -> None:
    for name, value in attributes.items():
        found = getattr(metric, name)
        if isinstance(found, dict):
            found.clear()
            found.update(value)
        else:
            setattr(metric, name, value)
