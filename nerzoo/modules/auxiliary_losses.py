"""Losses of parts of a model, which are added to the model's loss."""

from typing import Dict, Optional

import torch
from allennlp.nn.util import dist_reduce_sum
from allennlp.training.metrics import Metric


class AuxiliaryLoss:
    """Base class of parts that hand a loss, summed over the words of a batch, to `_keep` when they are trained."""

    _auxiliary_loss: Optional[torch.Tensor] = None

    def auxiliary_loss(self) -> Optional[torch.Tensor]:
        """Returns the loss of the last forward pass, once: a tensor with a graph can be neither copied nor saved."""
        loss, self._auxiliary_loss = self._auxiliary_loss, None
        return loss

    def _keep(self, loss: Optional[torch.Tensor]) -> None:
        self._auxiliary_loss = loss


class AuxiliaryLosses(Metric):
    """
    Sums the losses of all parts of a model that are an `AuxiliaryLoss`, and reports their mean over batches as the
    metric `auxiliary_loss`.
    """

    def __init__(self, model: torch.nn.Module) -> None:
        self._parts = [module for module in model.modules() if isinstance(module, AuxiliaryLoss)]
        # The sum moves to the device of the losses, so that the host need not wait for them.
        self._total = torch.zeros(())
        self._count = 0

    def __call__(self, mask: torch.BoolTensor) -> Optional[torch.Tensor]:  # type: ignore[override]
        """Returns the parts' last losses divided by the number of words in the mask (B, T), `None` without losses."""
        losses = [loss for loss in (part.auxiliary_loss() for part in self._parts) if loss is not None]
        if not losses:
            return None
        loss = torch.stack(losses).sum() / mask.sum()
        # Summed here and not in `get_metrics`, which a single worker may call.
        self._total = self._total + dist_reduce_sum(loss.detach())
        self._count += dist_reduce_sum(1)
        return loss

    def get_metric(self, reset: bool = False) -> Dict[str, float]:
        """Returns `auxiliary_loss`, or nothing where there has been no loss since the last reset."""
        if not self._count:
            return {}
        metrics = {"auxiliary_loss": float(self._total) / self._count}
        if reset:
            self.reset()
        return metrics

    def reset(self) -> None:
        """Forgets all losses."""
        self._total, self._count = torch.zeros(()), 0
