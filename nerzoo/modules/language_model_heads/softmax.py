import torch
from torch.nn.functional import cross_entropy

from nerzoo.modules.language_model_heads.language_model_head import LanguageModelHead
from nerzoo.nn.precision import at_least_float32


@LanguageModelHead.register("softmax")
class SoftmaxHead(LanguageModelHead):
    """
    A softmax over all words, learned by cross-entropy. The parameters are those of `LanguageModelHead`.
    """

    def __init__(self, input_size: int, num_words: int) -> None:
        super().__init__(input_size, num_words)
        self.word_projection = torch.nn.Linear(input_size, num_words)

    def forward(self, inputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        return cross_entropy(self._scores(inputs), targets)

    def log_probabilities(self, inputs: torch.Tensor) -> torch.Tensor:
        return self._scores(inputs).log_softmax(1)

    def _scores(self, inputs: torch.Tensor) -> torch.Tensor:
        return at_least_float32(self.word_projection(inputs))
