import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules import Seq2SeqEncoder

from nerzoo.modules.seq2seq_encoders.encoder import SizedEncoder


@Seq2SeqEncoder.register("convolution")
class Convolution(SizedEncoder):
    """
    The window network of Collobert et al., "Natural Language Processing (Almost) from Scratch" (2011), section 3.3.1,
    over all words at once: a linear layer over each word x_t and its neighbours,

        h_t = HardTanh(W [x_{t-k}; ...; x_t; ...; x_{t+k}] + b),

    for a window of 2k + 1 words. Words beyond the ends of the sentence are zero vectors; the original learns one.

    # Parameters

    input_size, hidden_size : `int`
        D, and H, the size of h_t.
    window_size : `int`, optional (default = `5`)
        2k + 1, the number of words that h_t sees. An even number or one below 1 raises `ConfigurationError`.
    """

    def __init__(self, input_size: int, hidden_size: int, window_size: int = 5) -> None:
        super().__init__(input_size, hidden_size)
        if window_size < 1 or window_size % 2 == 0:
            raise ConfigurationError(
                f"found a window of {window_size} words, expected an odd number, for one in the middle"
            )
        self.convolution = torch.nn.Conv1d(input_size, hidden_size, window_size, padding=window_size // 2)

    def forward(self, inputs: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        """Maps inputs (B, T, D) and mask (B, T) to outputs (B, T, H), zero at padding."""
        is_word = mask.unsqueeze(-1)
        outputs = self.convolution((inputs * is_word).transpose(1, 2)).transpose(1, 2)
        return torch.nn.functional.hardtanh(outputs) * is_word
