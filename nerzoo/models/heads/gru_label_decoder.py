from typing import Any, Dict, NamedTuple, Optional, Tuple

import torch
from allennlp.nn.beam_search import BeamSearch
from allennlp.nn.util import min_value_of_dtype
from torch.nn.functional import linear, pad

from nerzoo.modules.dropout import FastDropout
from nerzoo.nn.gru import run_side_by_side
from nerzoo.nn.numerics import at_least_float32


class DecodedLabels(NamedTuple):
    """Labels (B, T), and the states (B, T, H) and scores (B, T, L) from which they were found."""

    labels: torch.Tensor
    states: torch.Tensor
    scores: torch.Tensor


class GruLabelDecoder(torch.nn.Module):
    """
    A GRU over the labels of a sentence that predicts each from those before it (Dinarelli and Grobol, 2019, equations 5
    to 7):

        h_i = GRU([w_i, E(e_{i-1})], h_{i-1}),    o_i = W [h_i, c_i] + b,    p(e_i) = softmax(o_i),

    with the words w_i, if it reads them, and the context c_i, which is all else that the output depends on. It reads
    from left to right; for a decoder from right to left, reverse the sentences.

    The `embedding` E has L + 1 rows; the last one is the label before the first word. `word_size` is D, the size of the
    words that the GRU reads beside labels; with 0, it reads labels alone. `context_size` and `hidden_size` are C and H.
    Dropout is on embedded labels.
    """

    def __init__(
        self, embedding: torch.nn.Embedding, word_size: int, context_size: int, hidden_size: int, dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.num_labels = embedding.num_embeddings - 1
        self.embedding = embedding
        self.gru = torch.nn.GRU(word_size + embedding.embedding_dim, hidden_size, batch_first=True)
        self.projection = torch.nn.Linear(hidden_size + context_size, self.num_labels)
        self.dropout = FastDropout(dropout)
        self._word_size = word_size

    def inputs(self, words: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        """Returns the inputs of the GRU, given the words (B, T, D) and the labels (B, T) of sentences."""
        before = labels.new_full((labels.size(0), 1), self.num_labels)
        embedded = self.dropout(self.embedding(torch.cat([before, labels[:, :-1]], 1)))
        return torch.cat([words, embedded], -1) if self._word_size else embedded

    def scores(self, states: torch.Tensor, context: torch.Tensor) -> torch.Tensor:
        """Computes scores (B, T, L) from states (B, T, H) and context (B, T, C)."""
        return self.projection(torch.cat([states, context], -1))

    def decode(
        self, words: torch.Tensor, context: torch.Tensor, mask: torch.BoolTensor, beam_size: int = 1
    ) -> DecodedLabels:
        """
        Finds labels, each given the labels that the decoder has found before it, from words (B, T, D) and their context
        (B, T, C): the best label at each word or, with a `beam_size` above 1, the best sequence of a beam search.
        """
        steps = self._steps(words, context)
        if beam_size == 1:
            return self._greedy(steps)
        labels = self._search(steps, mask, beam_size)
        (states,) = run_side_by_side([self.gru], [self.inputs(words, labels)])
        return DecodedLabels(labels, states, self.scores(states, context))

    def sampled_labels(
        self, words: torch.Tensor, context: torch.Tensor, labels: torch.Tensor, is_own: torch.Tensor
    ) -> torch.Tensor:
        """
        Returns labels to train on by scheduled sampling (Bengio et al., 2015): the gold `labels` (B, T) or, where
        `is_own` (B, T), the decoder's own, each found given the returned labels before it. There is no dropout, as in
        prediction, and no gradient: the best label is the same for small changes of the parameters.
        """
        steps = _Steps(*(part.detach() for part in self._steps(words, context)))
        return self._greedy(steps, labels.masked_fill(is_own, -1)).labels

    def _steps(self, words: torch.Tensor, context: torch.Tensor) -> "_Steps":
        """Computes at once, for all words or all labels, what does not depend on the label before."""
        gru: Any = self.gru
        word_weight, label_weight = gru.weight_ih_l0.split([self._word_size, self.embedding.embedding_dim], 1)
        score_weight, context_weight = self.projection.weight.split(
            [gru.hidden_size, self.projection.in_features - gru.hidden_size], 1
        )
        return _Steps(
            gates=linear(words[..., : self._word_size], word_weight, gru.bias_ih_l0),
            label_gates=self.embedding.weight @ label_weight.T,
            scores=linear(context, context_weight, self.projection.bias),
            state_weight=gru.weight_hh_l0.T,
            state_bias=gru.bias_hh_l0,
            score_weight=score_weight.T,
        )

    def _greedy(self, steps: "_Steps", given: Optional[torch.Tensor] = None) -> DecodedLabels:
        """Finds the best label at each word, except where the label is `given` (B, T) as one that is not negative."""
        batch_size, length, _ = steps.gates.shape
        label = torch.full((batch_size,), self.num_labels, device=steps.gates.device)
        state = steps.gates.new_zeros(batch_size, self.gru.hidden_size)
        decoded = []
        for time, (gates, context_scores) in enumerate(zip(steps.gates.unbind(1), steps.scores.unbind(1), strict=True)):
            state, scores = steps.take(label, state, gates, context_scores)
            label = scores.argmax(1)
            if given is not None:
                label = torch.where(given[:, time] < 0, label, given[:, time])
            decoded.append((label, state, scores))
        return DecodedLabels(*(torch.stack(parts, 1) for parts in zip(*decoded, strict=True)))

    def _search(self, steps: "_Steps", mask: torch.BoolTensor, beam_size: int) -> torch.Tensor:
        batch_size, length, _ = steps.gates.shape
        end = self.num_labels

        def step(
            label: torch.Tensor, state: Dict[str, torch.Tensor], time: int
        ) -> Tuple[torch.Tensor, Dict[str, torch.Tensor]]:
            rows = state["rows"]
            hidden, scores = steps.take(label, state["hidden"], steps.gates[rows, time], steps.scores[rows, time])
            log_probabilities = pad(at_least_float32(scores).log_softmax(1), (0, 1))
            # The end has a column of its own: it cannot be at a word, and after the last word there is nothing else.
            is_end = torch.arange(end + 1, device=rows.device) == end
            impossible = mask[rows, time].unsqueeze(1) == is_end
            log_probabilities = log_probabilities.masked_fill(impossible, min_value_of_dtype(log_probabilities.dtype))
            return log_probabilities, {"rows": rows, "hidden": hidden}

        search = BeamSearch(end_index=end, max_steps=length, beam_size=beam_size)
        rows = torch.arange(batch_size, device=mask.device)
        start = {"rows": rows, "hidden": steps.gates.new_zeros(batch_size, self.gru.hidden_size)}
        sequences, _ = search.search(torch.full_like(rows, end), start, step)
        return sequences[:, 0].masked_fill(~mask, 0)


class _Steps(NamedTuple):
    """
    The parts of the steps of a `GruLabelDecoder` that do not depend on labels: `gates` (B, T, 3H) from words and
    `scores` (B, T, L) from the context, with their biases; `label_gates` (L + 1, 3H) from labels; and parameters.
    """

    gates: torch.Tensor
    label_gates: torch.Tensor
    scores: torch.Tensor
    state_weight: torch.Tensor
    state_bias: torch.Tensor
    score_weight: torch.Tensor

    def take(
        self, label: torch.Tensor, state: torch.Tensor, gates: torch.Tensor, context_scores: torch.Tensor
    ) -> Tuple[torch.Tensor, torch.Tensor]:
        """Takes a step of torch.nn.GRU; returns its state and scores, a row for each sentence or hypothesis."""
        size = state.size(1)
        r_z, n = (gates + self.label_gates[label]).split([2 * size, size], 1)
        state_r_z, state_n = torch.addmm(self.state_bias, state, self.state_weight).split([2 * size, size], 1)
        r, z = (r_z + state_r_z).sigmoid().chunk(2, 1)
        state = torch.lerp(torch.addcmul(n, r, state_n).tanh(), state, z)
        return state, torch.addmm(context_scores, state, self.score_weight)
