from typing import List

import numpy
from numpy.typing import NDArray

IMPOSSIBLE = -500.0
"""The score of a forbidden transition in sums: its exponential is next to 0, but not 0 in double precision."""


class LinearChain:
    """
    A linear chain of tags; `nerzoo.nn.linear_chain` explains the recursions and their sources. Tags that are
    independent of each other are a chain whose transitions are all zero. B sentences, T tokens, L tags, S entities.
    Masks are `True` at real tokens, which come first; each sentence has tokens.

    `transitions`, shape (L + 2, L + 2), are the scores of transitions from the tag of the row to the tag of the column,
    where L is the start and L + 1 the end of a sentence; minus infinity where a transition is not allowed. The
    `temperature` divides all scores before probabilities are computed.
    """

    def __init__(self, transitions: NDArray[numpy.float32], temperature: float = 1.0) -> None:
        self.num_tags = len(transitions) - 2
        self._temperature = temperature
        self._transitions = transitions

    def viterbi(self, emissions: NDArray[numpy.float32], mask: NDArray[numpy.bool_]) -> NDArray[numpy.int64]:
        """Returns the best allowed tag sequences, (B, T), given scores (B, T, L) and mask (B, T)."""
        transitions, start, end = self._parts(self._transitions)
        # shape: (L, 1, L), the previous tag first: NumPy computes a maximum over the first dimension fast
        between = transitions[:, numpy.newaxis]
        alphas = [start + emissions[:, 0]]
        for position in range(1, emissions.shape[1]):
            reached = (alphas[-1].T[..., numpy.newaxis] + between).max(0)
            alphas.append(reached + emissions[:, position])

        # The way back starts at the end of the padding, which does not change the tag.
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
        Returns the probabilities of entities, (S,), computed in double precision, given scores (B, T, L), mask (B, T)
        and decoded tags (B, T); `spans` (S, 3) and `continuation` (S,) as in `TagDistribution.entity_probabilities`.
        """
        scores = self._transitions.astype(numpy.float64) / self._temperature
        transitions, start, end = self._parts(numpy.where(numpy.isneginf(scores), IMPOSSIBLE, scores))
        relative = (emissions - emissions.max(2, keepdims=True).astype(numpy.float64)) / self._temperature
        weights = numpy.exp(relative)
        lengths, positions = mask.sum(1), numpy.arange(mask.shape[1])
        # shape: (B, T), positions that reverse a sentence and leave its padding in place
        turn = numpy.where(mask, lengths[:, numpy.newaxis] - 1 - positions, positions)
        turned = numpy.take_along_axis(weights, turn[..., numpy.newaxis], 1)

        # Both directions at once, each sum divided by its total; shape of a sum: (2, B, L)
        step = numpy.exp(numpy.stack([transitions, transitions.T]))
        sums: List[NDArray[numpy.float64]] = []
        totals: List[NDArray[numpy.float64]] = []
        for emission in numpy.moveaxis(numpy.stack([weights, turned]), 2, 0):
            reached = sums[-1] @ step if sums else numpy.exp(numpy.stack([start, end]))[:, numpy.newaxis]
            sums.append(emission * reached)
            totals.append(sums[-1].sum(2))
            sums[-1] /= totals[-1][..., numpy.newaxis]
        # shape: (B, T, L) and (B, T) each; `after` is in reverse order
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
        row_lengths = lengths[rows]
        place = numpy.maximum(row_lengths - 1 - ends, 0)
        onwards = after[rows, place] * step[0][last]
        onwards *= continuation[:, numpy.newaxis] != numpy.arange(self.num_tags)
        # The sum may be 0, with the logarithm minus infinity.
        with numpy.errstate(divide="ignore"):
            right = numpy.where(ends == row_lengths, end[last], numpy.log(onwards.sum(1)) + log_after[rows, place])
        whole = numpy.log(before[rows, row_lengths - 1] @ numpy.exp(end)) + log_before[rows, row_lengths - 1]
        # A part of the sum may exceed the whole by rounding.
        return numpy.minimum(numpy.exp(left + inside + right - whole), 1.0).astype(numpy.float32)

    def _parts(self, scores: NDArray) -> List[NDArray]:
        """Returns transitions between tags, (L, L), from the start, (L,), and to the end, (L,)."""
        tags, start, end = slice(self.num_tags), self.num_tags, self.num_tags + 1
        return [scores[tags, tags], scores[start, tags], scores[tags, end]]
