from typing import Optional

import torch


class AuxiliaryLoss:
    """
    Gives an embedder or an encoder a loss of its own, which `AuxiliaryLosses` adds to the model's loss. In each forward
    pass in training the part hands the loss, summed over the words of the batch, to `_keep`.
    """

    _auxiliary_loss: Optional[torch.Tensor] = None

    def auxiliary_loss(self) -> Optional[torch.Tensor]:
        """
        Returns the loss of the last forward pass, a scalar, or `None` if that was in evaluation. The loss is given
        once: a tensor with a graph can be neither copied nor saved with the model.
        """
        loss, self._auxiliary_loss = self._auxiliary_loss, None
        return loss

    def _keep(self, loss: Optional[torch.Tensor]) -> None:
        self._auxiliary_loss = loss
