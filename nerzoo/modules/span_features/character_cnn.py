from typing import Iterable, List, NamedTuple, Optional, Tuple, cast

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules.token_embedders import Embedding
from torch.nn.functional import pad

from nerzoo.modules.span_features.character_sequence import CharacterSequence, character_sequence, character_spans
from nerzoo.modules.span_features.span_features import FeatureInputs, SpanFeatures


class _Maxima(NamedTuple):
    sequence: CharacterSequence
    outputs: torch.Tensor
    """Shape (N, kernel sizes, filters): the output of each filter on the window that starts at each position."""
    of_windows: torch.Tensor
    """
    N + 1 - 2^l rows of shape (kernel sizes, filters) for each level l = 0, 1, ...: row k of level l has the largest
    output of each filter on 2^l successive windows, the first of which starts at position k. It has no gradient.
    """
    places: Optional[torch.Tensor]
    """Where among all `outputs` each of these is; only in training, where gradients go there."""


@SpanFeatures.register("character_cnn")
class CharacterCnn(SpanFeatures):
    """
    Applies a convolution to the characters of a span and takes the largest output of each filter F (Xu's thesis,
    sections 2.2.2 and 5.5.1):

        v_k = relu(F . C[k : k + h])      (equation 2.10)
        y = max_k v_k                     (equation 2.11)

    C are the vectors of the span's characters, with a space at either end, where the original program pads, and
    between two words. The output of a filter of h characters is 0 on a span that has fewer characters, spaces
    included. (The original program fills such spans up to ten characters.)

    The filters run once over the whole batch. The windows of a span are a range of positions, and the largest output
    in a range is the larger of the maxima of two overlapping ranges of 2^l windows. The maxima of all ranges of 2^l
    windows are computed once, up to the l that the longest span needs: O(log(n C)) for each character, and two
    look-ups for each span.

    # Parameters

    indexer : `str`
        The name of a token indexer of type `characters`.
    embedding : `Embedding`
        Embeds characters. The vector of the space is row 0, which is else that of padding.
    num_filters : `int`, optional (default = `16`)
        The number of filters of each size.
    kernel_sizes : `List[int]`, optional (default = `[2, 3, 4, 5, 6, 7, 8, 9]`)
        The sizes of filters, in characters. The features have size `num_filters` times the number of sizes.

    # Raises

    `ConfigurationError` where there is no kernel size or one is below 1.
    """

    kernel_sizes: torch.Tensor

    def __init__(
        self, indexer: str, embedding: Embedding, num_filters: int = 16, kernel_sizes: Optional[List[int]] = None
    ) -> None:
        super().__init__(indexer)
        kernel_sizes = list(range(2, 10)) if kernel_sizes is None else kernel_sizes
        if not kernel_sizes or min(kernel_sizes) < 1:
            raise ConfigurationError(f"found the kernel sizes {kernel_sizes}, expected some of one character at least")
        self.embedding = embedding
        self.num_filters = num_filters
        self.convolutions = torch.nn.ModuleList(
            torch.nn.Conv1d(embedding.get_output_dim(), num_filters, size) for size in kernel_sizes
        )
        self.register_buffer("kernel_sizes", torch.tensor(kernel_sizes), persistent=False)

    def get_output_dim(self) -> int:
        return self.num_filters * len(self.convolutions)

    def encode(self, inputs: FeatureInputs) -> _Maxima:
        (characters,) = self._indices(inputs).values()
        sequence = character_sequence(characters, inputs.mask)
        # shape: (D, N)
        embedded = self.embedding(sequence.symbols).t()
        length = embedded.size(1)
        # Windows that reach beyond the end are in no span; with them all kernel sizes have the same number of windows.
        outputs = [
            convolution(pad(embedded, (0, convolution.kernel_size[0] - 1)).unsqueeze(0)).squeeze(0)
            for convolution in cast(Iterable[torch.nn.Conv1d], self.convolutions)
        ]
        # shape: (N, kernel sizes, filters); rows are to be joined below, which is slow if they are not in one piece
        activated = torch.stack(outputs).relu_().permute(2, 0, 1).contiguous()
        # An upper bound for the width of spans, in characters and spaces, for which the host need not wait.
        widest = min(length, inputs.max_length * (characters.size(2) + 1) + 1)
        return _Maxima(sequence, activated, *_window_maxima(activated, widest.bit_length() - 1))

    def forward(self, encoded: _Maxima, spans: torch.Tensor) -> torch.Tensor:
        firsts, lasts = (character_spans(encoded.sequence, spans) + spans.new_tensor([-1, 1])).unsqueeze(2).unbind(1)
        # shape: (S, kernel sizes), the number of windows
        counts = lasts - firsts + 2 - self.kernel_sizes
        levels = _floor_log2(counts.clamp_min(1))
        widths = 2**levels
        first_rows = levels * (len(encoded.sequence.symbols) + 1) - (widths - 1)
        sizes = torch.arange(counts.size(1), device=counts.device)
        rows = [
            ((first_rows + windows) * counts.size(1) + sizes).flatten()
            for windows in (firsts, firsts + (counts - widths).clamp_min(0))
        ]

        def look_up(table: torch.Tensor) -> List[torch.Tensor]:
            return [table.flatten(0, 1).index_select(0, of_either) for of_either in rows]

        one, other = look_up(encoded.of_windows)
        if encoded.places is None:
            largest = torch.maximum(one, other)
        else:
            of_one, of_other = look_up(encoded.places)
            places = torch.where(one >= other, of_one, of_other)
            largest = encoded.outputs.flatten().index_select(0, places.flatten())
        return largest.view(*counts.shape, self.num_filters).masked_fill((counts < 1).unsqueeze(2), 0).flatten(1)


@torch.no_grad()
def _window_maxima(outputs: torch.Tensor, num_levels: int) -> Tuple[torch.Tensor, Optional[torch.Tensor]]:
    """Returns `of_windows` and `places` of `outputs`, for levels up to `num_levels`."""
    counts = [len(outputs) + 1 - 2**level for level in range(num_levels + 1)]
    maxima = outputs.new_empty(sum(counts), *outputs.shape[1:])
    # Places of the largest, and one gradient for each: that of `torch.maximum` would go through all levels again.
    places = torch.empty_like(maxima, dtype=torch.int32) if outputs.requires_grad else None
    levels, levels_of_places = maxima.split(counts), () if places is None else places.split(counts)
    levels[0].copy_(outputs)
    if levels_of_places:
        torch.arange(outputs.numel(), out=levels_of_places[0].view(-1))
    for level in range(num_levels):
        one, other = _halves(levels[level], 2**level)
        if levels_of_places:
            torch.where(one >= other, *_halves(levels_of_places[level], 2**level), out=levels_of_places[level + 1])
        torch.maximum(one, other, out=levels[level + 1])
    return maxima, places


def _halves(level: torch.Tensor, width: int) -> Tuple[torch.Tensor, torch.Tensor]:
    """Returns the rows of the first and of the second half of ranges of twice the width of a level."""
    return level[:-width], level[width:]


def _floor_log2(numbers: torch.Tensor) -> torch.Tensor:
    """Returns the logarithms of positive numbers below 2^53, rounded down, without an error of rounding."""
    return torch.frexp(numbers.double()).exponent.long() - 1
