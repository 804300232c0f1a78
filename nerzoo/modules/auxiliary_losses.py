"""Losses of parts of a model, which are added to the model's loss."""

from typing import Dict, Optional

import torch

from nerzoo.training.metrics.counting_metric import CountingMetric


class AuxiliaryLoss:
    """Base class of parts that hand a loss, summed over the words of a batch, to `_keep` when they are trained."""

    _auxiliary_loss: Optional[torch.Tensor] = None

    def auxiliary_loss(self) -> Optional[torch.Tensor]:
        """Returns the loss of the last forward pass, once: a tensor with a graph can be neither copied nor saved."""
        loss, self._auxiliary_loss = self._auxiliary_loss, None
        return loss

    def _keep(self, loss: Optional[torch.Tensor]) -> None:
        self._auxiliary_loss = loss


class AuxiliaryLosses(CountingMetric):
    """Sums the losses of all parts of a model that are an `AuxiliaryLoss`."""

    def __init__(self, model: torch.nn.Module) -> None:
        self._parts = [module for module in model.modules() if isinstance(module, AuxiliaryLoss)]
        # The sum of the losses and the number of batches.
        super().__init__(2, dtype=torch.float)

    def last_loss(self, mask: torch.BoolTensor) -> Optional[torch.Tensor]:
        """
        Counts the parts' last losses. Returns their sum divided by the number of words in the mask (B, T), `None`
        without losses.
        """
        losses = [loss for loss in (part.auxiliary_loss() for part in self._parts) if loss is not None]
        if not losses:
            return None
        loss = torch.stack(losses).sum() / mask.sum()
        self(loss.detach())
        return loss

    def count(self, loss: torch.Tensor) -> torch.Tensor:
        return torch.stack([loss, torch.ones_like(loss)])

    def scores(self, counts: torch.Tensor) -> Dict[str, float]:
        """Returns `auxiliary_loss`, the mean over batches, or nothing where there has been no loss."""
        total, num_batches = counts.tolist()
        return {"auxiliary_loss": total / num_batches} if num_batches else {}
