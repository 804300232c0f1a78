from typing import Optional

import torch


class AuxiliaryLoss:
    """
    Makes an embedder or encoder a part of a model that has a loss of its own, which `AuxiliaryLosses` adds to the
    model's. The part keeps it from each forward pass in training, summed over the words of the batch, by `_keep`.
    """

    _auxiliary_loss: Optional[torch.Tensor] = None

    def auxiliary_loss(self) -> Optional[torch.Tensor]:
        """
        The loss of the last forward pass, a scalar; `None` if that was in evaluation. It is given once: what has a
        graph behind it can be neither copied nor saved with the model.
        """
        loss, self._auxiliary_loss = self._auxiliary_loss, None
        return loss

    def _keep(self, loss: Optional[torch.Tensor]) -> None:
        self._auxiliary_loss = loss
