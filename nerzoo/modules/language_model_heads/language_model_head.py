import torch
from allennlp.common import Registrable

POSITIONS_AT_A_TIME = 512
"""For how many positions the probabilities of all words are held at once where only those of the targets are wanted."""


class LanguageModelHead(torch.nn.Module, Registrable):
    """
    The output layer of a language model: a distribution over all words given a vector for the history, and what is
    minimised to learn it, which may be cheaper than that distribution.

    N positions, H the size of the vectors, W the number of words; words are numbered from 0, the most frequent first.

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

    def forward(self, inputs: torch.Tensor, targets: torch.LongTensor) -> torch.Tensor:
        """
        # Parameters

        inputs : `torch.Tensor`, (N, H)
        targets : `torch.LongTensor`, (N,)
            The word that follows.

        # Returns

        `torch.Tensor`, ()
            What is to be minimised, averaged over the positions.
        """
        raise NotImplementedError

    def log_probabilities(self, inputs: torch.Tensor) -> torch.Tensor:
        """The natural logarithm of the probability of each word, normalised over all of them: (N, H) to (N, W)."""
        raise NotImplementedError

    def target_log_probabilities(self, inputs: torch.Tensor, targets: torch.LongTensor) -> torch.Tensor:
        """
        Of `log_probabilities` those of the targets alone, shape (N,), from inputs and targets as in `forward`.
        """
        pieces = zip(inputs.split(POSITIONS_AT_A_TIME), targets.split(POSITIONS_AT_A_TIME), strict=True)
        return torch.cat([self.log_probabilities(x).gather(1, y.unsqueeze(1)).squeeze(1) for x, y in pieces])
