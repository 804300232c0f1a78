import torch

from nerzoo.modules.input_dropouts.input_dropout import InputDropout


@InputDropout.register("word")
class WordDropout(InputDropout):
    """Words are dropped whole: all features of a word, or none."""

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        kept = torch.nn.functional.dropout(inputs.new_ones(*inputs.shape[:2], 1), self.p, self.training)
        return inputs * kept
