"""
What is decoded from the scores of tags, without PyTorch. The recursions and their sources are those of
`nerzoo.nn.linear_chain`. Tags that are independent of each other are a chain whose transitions are all zero.
"""

from typing import List

import numpy
from numpy.typing import NDArray

_IMPOSSIBLE = -500.0
"""The score of what is not allowed, in sums: its exponential is next to 0, but not 0 in double precision."""


class LinearChain:
    """
    A linear chain of tags. B sentences, T tokens, L tags, S entities. Masks are `True` at real tokens, which stand at
    the left; no sentence is without tokens.

    # Parameters

    transitions : `NDArray`
        The scores of transitions, shape (L + 2, L + 2), from the tag of the row to that of the column, L being the
        start and L + 1 the end of a sentence; minus infinity where a transition is not allowed.
    temperature : `float`, optional (default = `1.0`)
        What all scores are divided by where there are probabilities.
    """

    def __init__(self, transitions: NDArray[numpy.float32], temperature: float = 1.0) -> None:
        self.num_tags = len(transitions) - 2
        self._temperature = temperature
        self._transitions = transitions

    def viterbi(self, emissions: NDArray[numpy.float32], mask: NDArray[numpy.bool_]) -> NDArray[numpy.int64]:
        """Scores (B, T, L) and mask (B, T) to the tags of the best sequences that are allowed, (B, T)."""
        transitions, start, end = self._parts(self._transitions)
        # shape: (L, 1, L), the tag to come from first: a maximum over the first dimension is what NumPy is fast for
        between = transitions[:, numpy.newaxis]
        alphas = [start + emissions[:, 0]]
        for position in range(1, emissions.shape[1]):
            reached = (alphas[-1].T[..., numpy.newaxis] + between).max(0)
            alphas.append(reached + emissions[:, position])

        # The way back starts at the very end, and leads over the padding to each sentence's last token unchanged.
        final = numpy.stack(alphas)[mask.sum(1) - 1, numpy.arange(len(mask))] + end
        states = [final.argmax(1)]
        for position in range(emissions.shape[1] - 1, 0, -1):
            origin = (alphas[position - 1] + transitions.T[states[-1]]).argmax(1)
            states.append(numpy.where(mask[:, position], origin, states[-1]))
        return numpy.stack(states[::-1], axis=1) * mask

    def entity_probabilities(
        self,
        emissions: NDArray[numpy.float32],
        mask: NDArray[numpy.bool_],
        tags: NDArray[numpy.int64],
        spans: NDArray[numpy.int64],
        continuation: NDArray[numpy.int64],
    ) -> NDArray[numpy.float32]:
        """
        The probability, among the sequences that can be decoded, that the tags of an entity are as decoded, and that
        the entity ends where it was decoded to end.

        # Parameters

        emissions : `NDArray`
            Shape (B, T, L).
        mask : `NDArray`
            Shape (B, T).
        tags : `NDArray`
            As decoded, shape (B, T).
        spans : `NDArray`
            Each entity's sentence, start and end, the end exclusive, shape (S, 3).
        continuation : `NDArray`
            The tag that would prolong the entity at position `end`, I-X in BIO; -1 where no tag would, shape (S,).

        # Returns

        `NDArray`, (S,)
            Computed in double precision, since it is the quotient of two numbers that may be next to nothing.
        """
        scores = self._transitions.astype(numpy.float64) / self._temperature
        transitions, start, end = self._parts(numpy.where(numpy.isneginf(scores), _IMPOSSIBLE, scores))
        relative = (emissions - emissions.max(2, keepdims=True).astype(numpy.float64)) / self._temperature
        weights = numpy.exp(relative)
        lengths, positions = mask.sum(1), numpy.arange(mask.shape[1])
        # shape: (B, T), which turns a sentence round and leaves its padding where it is
        turn = numpy.where(mask, lengths[:, numpy.newaxis] - 1 - positions, positions)
        turned = numpy.take_along_axis(weights, turn[..., numpy.newaxis], 1)

        # Both directions at a time, each sum divided by its total; shape of a sum: (2, B, L)
        step = numpy.exp(numpy.stack([transitions, transitions.T]))
        sums: List[NDArray[numpy.float64]] = []
        totals: List[NDArray[numpy.float64]] = []
        for emission in numpy.moveaxis(numpy.stack([weights, turned]), 2, 0):
            reached = sums[-1] @ step if sums else numpy.exp(numpy.stack([start, end]))[:, numpy.newaxis]
            sums.append(emission * reached)
            totals.append(sums[-1].sum(2))
            sums[-1] /= totals[-1][..., numpy.newaxis]
        # shape: (B, T, L) and (B, T) each; those of the other direction are in its order
        before, after = numpy.stack(sums, axis=2)
        log_before, log_after = numpy.log(numpy.stack(totals, axis=2)).cumsum(2)

        # shape: (B, T + 1), the score of the tags before each token
        on_path = numpy.take_along_axis(relative, tags[..., numpy.newaxis], 2)[..., 0]
        score = numpy.pad(on_path.cumsum(1), ((0, 0), (1, 0)))
        score_between = numpy.pad(transitions[tags[:, :-1], tags[:, 1:]].cumsum(1), ((0, 0), (2, 0)))

        # shape: (S,) each, but sums over tags: (S, L)
        rows, starts, ends = spans.T
        first, last = tags[rows, starts], tags[rows, ends - 1]
        inside = score[rows, ends] - score[rows, starts] + score_between[rows, ends] - score_between[rows, starts + 1]
        to_first = (before[rows, starts - 1] * step[1][first]).sum(1)
        left = numpy.where(starts == 0, start[first], numpy.log(to_first) + log_before[rows, starts - 1])
        of_row = lengths[rows]
        place = numpy.maximum(of_row - 1 - ends, 0)
        onwards = after[rows, place] * step[0][last]
        onwards *= continuation[:, numpy.newaxis] != numpy.arange(self.num_tags)
        # Nothing may be left, of logarithm minus infinity.
        with numpy.errstate(divide="ignore"):
            right = numpy.where(ends == of_row, end[last], numpy.log(onwards.sum(1)) + log_after[rows, place])
        whole = numpy.log(before[rows, of_row - 1] @ numpy.exp(end)) + log_before[rows, of_row - 1]
        # A part of the sum may exceed the whole by rounding.
        return numpy.minimum(numpy.exp(left + inside + right - whole), 1.0).astype(numpy.float32)

    def _parts(self, scores: NDArray) -> List[NDArray]:
        """Transitions, (L, L), from the start, (L,), and to the end, (L,)."""
        tags, start, end = slice(self.num_tags), self.num_tags, self.num_tags + 1
        return [scores[tags, tags], scores[start, tags], scores[tags, end]]
