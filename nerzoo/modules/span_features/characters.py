"""
Features of the characters of a span. The words of a batch are one sequence of N symbols, of which a span of any number
of words is a part, so that everything about characters is computed once for all spans.
"""

from typing import Iterable, List, NamedTuple, Optional, cast

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules.token_embedders import Embedding
from torch.nn.functional import linear, pad

from nerzoo.modules.span_features.span_features import FeatureInputs, SpanFeatures
from nerzoo.nn.fofe import check_alpha, fofe_encode, fofe_spans
from nerzoo.nn.spans import following


class CharacterSequence(NamedTuple):
    """
    The words of a batch as one sequence of N characters and spaces, without padding: the indices (N,) of characters, 0,
    the index of padding, being the space; and the positions (B, T) of each word's start and exclusive end.
    """

    symbols: torch.Tensor
    starts: torch.Tensor
    ends: torch.Tensor


def character_sequence(characters: torch.Tensor, mask: torch.BoolTensor) -> CharacterSequence:
    """
    Joins the words of a batch, with a space before and after each word. `characters` (B, T, C) is the tensor of the
    token indexer `characters`, the indices of each word's characters, then 0; `mask` (B, T) is `True` at real words.
    """
    lengths = (characters > 0).sum(2)
    positions = torch.arange(characters.size(2) + 1, device=characters.device)
    is_symbol = (positions <= lengths.unsqueeze(2)) & mask.unsqueeze(2)
    # One symbol more for the space after each word. The host waits for N, as it does for the number of spans.
    symbols = pad(characters, (0, 1))[is_symbol]
    ends = torch.where(mask, lengths + 1, 0).flatten().cumsum(0).view_as(lengths)
    # The space before the first word moves all positions by one.
    return CharacterSequence(pad(symbols, (1, 0)), ends - lengths, ends)


def character_spans(sequence: CharacterSequence, spans: torch.Tensor) -> torch.Tensor:
    """Returns the positions (S, 2) of the first and of the last character of spans (S, 3), both inclusive."""
    sentences, starts, ends = spans.unbind(1)
    return torch.stack([sequence.starts[sentences, starts], sequence.ends[sentences, ends - 1] - 1], 1)


class _CharacterCodes(NamedTuple):
    """A sequence of N characters, and the codes (1, N, E) of all its prefixes and of all its suffixes."""

    sequence: CharacterSequence
    forward: torch.Tensor
    backward: torch.Tensor


@SpanFeatures.register("fofe_characters")
class FofeCharacters(SpanFeatures):
    """
    Encodes the characters of a span as two FOFE codes, from left to right and from right to left (Xu's thesis, section
    5.2.2). The codes of spans are differences of the codes of all prefixes, or suffixes, of the whole batch.

    There is a space between two words of a span, as in the later version of the original program. The vector of the
    space is row 0 of the embedding, elsewhere the vector of padding.

    # Parameters

    indexer : `str`
        The name of a token indexer of type `characters`.
    embedding : `Embedding`
        Embeds characters in E dimensions. The features have size 2E.
    alpha : `float`, optional (default = `0.5`)
        The forgetting factor of characters. Outside (0, 1] it raises `ConfigurationError`. The default is the thesis's;
        the original program has 0.8.
    initials : `bool`, optional (default = `False`)
        Whether to encode the first character of each word only, without spaces: a feature of the original program that
        the thesis does not mention.
    """

    def __init__(self, indexer: str, embedding: Embedding, alpha: float = 0.5, initials: bool = False) -> None:
        super().__init__(indexer)
        check_alpha(alpha)
        self.embedding = embedding
        self.alpha = alpha
        self.initials = initials

    def get_output_dim(self) -> int:
        return 2 * self.embedding.get_output_dim()

    def encode(self, inputs: FeatureInputs) -> _CharacterCodes:
        (characters,) = self._indices(inputs).values()
        if self.initials:
            positions = torch.arange(inputs.mask.numel(), device=characters.device).view_as(inputs.mask)
            sequence = CharacterSequence(characters[:, :, 0].flatten(), positions, positions + 1)
        else:
            sequence = character_sequence(characters, inputs.mask)
        # In float64, so that the many characters before a span do not leave their rounding in its code.
        embedded = self.embedding(sequence.symbols.unsqueeze(0)).double()
        forward, backward = (fofe_encode(embedded, self.alpha, reverse=reverse) for reverse in (False, True))
        return _CharacterCodes(sequence, forward, backward)

    def forward(self, encoded: _CharacterCodes, spans: torch.Tensor) -> torch.Tensor:
        spans = character_spans(encoded.sequence, spans).unsqueeze(0)
        # shape: (1, S, E) each
        forward = fofe_spans(encoded.forward, spans, self.alpha)
        backward = fofe_spans(encoded.backward, spans, self.alpha, reverse=True)
        return torch.cat([forward, backward], 2).squeeze(0).to(self.embedding.weight.dtype)


class _WindowMaxima(NamedTuple):
    sequence: CharacterSequence
    outputs: torch.Tensor
    """Shape (N, kernel sizes, filters): the output of each filter on the window that starts at each position."""
    maxima: torch.Tensor
    """
    N + 1 - 2^l rows of shape (kernel sizes, filters) for each level l = 0, 1, ...: row k of level l has the largest
    output of each filter on 2^l successive windows, the first of which starts at position k; or in training, where
    gradients go to the `outputs`, its `_keys`. It has no gradient.
    """


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
        Embeds characters. The vector of the space is row 0, elsewhere the vector of padding.
    num_filters : `int`, optional (default = `16`)
        The number of filters of each size.
    kernel_sizes : `List[int]`, optional (default = `[2, 3, 4, 5, 6, 7, 8, 9]`)
        The sizes of filters, in characters. The features have size `num_filters` times the number of sizes. No size, or
        one below 1, raises `ConfigurationError`.
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

    def encode(self, inputs: FeatureInputs) -> _WindowMaxima:
        (characters,) = self._indices(inputs).values()
        sequence = character_sequence(characters, inputs.mask)
        length = sequence.symbols.size(0)
        # One product for all kernels, as long as the longest: rows of zeros follow the others. Windows that reach
        # beyond the end are in no span.
        convolutions = [*cast(Iterable[torch.nn.Conv1d], self.convolutions)]
        size = max(convolution.kernel_size[0] for convolution in convolutions)
        kernels = [pad(convolution.weight, (0, size - convolution.kernel_size[0])) for convolution in convolutions]
        windows = self.embedding(following(sequence.symbols.unsqueeze(0), size).squeeze(0))
        outputs = linear(
            windows.flatten(1),
            torch.cat(kernels).transpose(1, 2).flatten(1),
            torch.cat([cast(torch.Tensor, convolution.bias) for convolution in convolutions]),
        )
        activated = outputs.relu().view(length, len(convolutions), self.num_filters)
        if torch.onnx.is_in_onnx_export():
            return _WindowMaxima(sequence, activated, torch.jit.script(_window_maxima_in_a_loop)(activated))
        # An upper bound for the width of spans, in characters and spaces, for which the host need not wait.
        widest = min(length, inputs.max_length * (characters.size(2) + 1) + 1)
        values = _keys(activated.detach()) if activated.requires_grad else activated
        return _WindowMaxima(sequence, activated, _window_maxima(values, widest.bit_length() - 1))

    def forward(self, encoded: _WindowMaxima, spans: torch.Tensor) -> torch.Tensor:
        firsts, lasts = character_spans(encoded.sequence, spans).unsqueeze(2).unbind(1)
        # The space before the span. No tensor of constants, which the host would copy to a GPU and wait for.
        firsts = firsts - 1
        # shape: (S, kernel sizes), the number of windows up to the space after the span
        counts = lasts - firsts + 3 - self.kernel_sizes
        # The logarithms of numbers, rounded down. The nearest logarithms that are whole are further away than rounding.
        levels = (counts.clamp_min(1) + 0.5).double().log2().floor().long()
        widths = 2**levels
        first_rows = levels * (encoded.sequence.symbols.size(0) + 1) - (widths - 1)
        sizes = torch.arange(counts.size(1), device=counts.device)
        # Two overlapping ranges of windows, the first and the last ones of the span.
        rows = [
            ((first_rows + windows) * counts.size(1) + sizes).flatten()
            for windows in (firsts, firsts + (counts - widths).clamp_min(0))
        ]

        # shape: (S * kernel sizes, filters)
        table = encoded.maxima.flatten(0, 1)
        largest = torch.maximum(*(table.index_select(0, row) for row in rows))
        if table.dtype == torch.int64:
            largest = encoded.outputs.flatten().index_select(0, (largest & _PLACES).flatten())
        return largest.view(*counts.shape, self.num_filters).masked_fill((counts < 1).unsqueeze(2), 0).flatten(1)


_PLACES = 2**32 - 1
"""The bits of a key that are a place."""


def _keys(outputs: torch.Tensor) -> torch.Tensor:
    """
    Returns numbers in the order of `outputs`, none of which is negative, in single precision; the lower 32 bits of each
    are the output's place among all. A maximum of keys takes one fast operation, and names the one place to which its
    gradient goes; `torch.maximum` of the outputs would send it through all levels again.
    """
    # Bits of floating-point numbers from zero on are in the order of the numbers.
    bits = outputs.float().view(torch.int32).long()
    return (bits << 32) + torch.arange(outputs.numel(), device=outputs.device).view_as(bits)


def _window_maxima(values: torch.Tensor, num_levels: int) -> torch.Tensor:
    """Returns the `maxima` of values (N, kernel sizes, filters), for levels up to `num_levels`."""
    counts = [len(values) + 1 - 2**level for level in range(num_levels + 1)]
    maxima = values.new_empty(sum(counts), *values.shape[1:])
    levels = maxima.split(counts)
    levels[0].copy_(values)
    for level in range(num_levels):
        # A maximum of twice as many windows is the larger one of two halves.
        torch.maximum(levels[level][: -(2**level)], levels[level][2**level :], out=levels[level + 1])
    return maxima


def _window_maxima_in_a_loop(values: torch.Tensor) -> torch.Tensor:
    """Returns the `maxima` of all levels that N has, in a loop, which a graph of ONNX can have."""
    levels = [values]
    length, width = values.size(0), 1
    while 2 * width <= length:
        values = torch.maximum(values[:-width], values[width:])
        levels.append(values)
        width = 2 * width
    return torch.cat(levels)
