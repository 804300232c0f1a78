import torch
from allennlp.common import Registrable

POSITIONS_AT_A_TIME = 512
"""For how many positions the probabilities of all words are held at once where only those of the targets are wanted."""


class LanguageModelHead(torch.nn.Module, Registrable):
    """
    The output layer of a language model: it gives a distribution over all words for the vector of a history, and the
    loss by which the distribution is learned, which may be cheaper to compute.

    There are N positions, vectors of size H and W words, which are numbered from 0, the most frequent first.

    # Parameters

    input_size : `int`
        H.
    num_words : `int`
        W.
    """

    def __init__(self, input_size: int, num_words: int) -> None:
        super().__init__()
        self.input_size = input_size
        self.num_words = num_words

    def forward(self, inputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """
        # Parameters

        inputs : `torch.Tensor`, (N, H)
        targets : `torch.LongTensor`, (N,)
            The words that follow the histories.

        # Returns

        `torch.Tensor`, ()
            The loss, averaged over the positions.
        """
        raise NotImplementedError

    def log_probabilities(self, inputs: torch.Tensor) -> torch.Tensor:
        """Turns vectors (N, H) into log-probabilities (N, W) of all words, whose probabilities sum to one."""
        raise NotImplementedError

    def target_log_probabilities(self, inputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """
        Returns the `log_probabilities` of the targets alone, shape (N,), for inputs and targets as in `forward`.
        """
        pieces = zip(inputs.split(POSITIONS_AT_A_TIME), targets.split(POSITIONS_AT_A_TIME), strict=True)
        return torch.cat([self.log_probabilities(x).gather(1, y.unsqueeze(1)).squeeze(1) for x, y in pieces])
