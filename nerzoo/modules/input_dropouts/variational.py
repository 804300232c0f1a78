import torch

from nerzoo.modules.input_dropouts.input_dropout import InputDropout


@InputDropout.register("variational")
class VariationalDropout(InputDropout):
    """The same features are dropped in all words of a sentence (Gal and Ghahramani, 2016)."""

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        kept = torch.nn.functional.dropout(inputs.new_ones(inputs.size(0), 1, inputs.size(2)), self.p, self.training)
        return inputs * kept
