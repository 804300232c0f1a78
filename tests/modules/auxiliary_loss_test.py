import torch

from nerzoo.modules.auxiliary_losses import AuxiliaryLoss


def test_is_given_once():
    part = AuxiliaryLoss()
    assert part.auxiliary_loss() is None
    loss = torch.tensor(3.0)
    part._keep(loss)
    assert part.auxiliary_loss() is loss
    assert part.auxiliary_loss() is None
    part._keep(loss)
    part._keep(None)
    assert part.auxiliary_loss() is None
