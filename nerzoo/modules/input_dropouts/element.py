import torch

from nerzoo.modules.input_dropouts.input_dropout import InputDropout


@InputDropout.register("element")
class ElementDropout(InputDropout):
    """Each number of each word is dropped by itself."""

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.dropout(inputs, self.p, self.training)
