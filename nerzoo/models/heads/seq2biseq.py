from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.nn.beam_search import BeamSearch
from allennlp.nn.util import min_value_of_dtype
from torch.nn.functional import linear, pad

from nerzoo.errors import check_range
from nerzoo.models.heads.tag_head import ExtraOutput, Metadata, TagHead
from nerzoo.modules.dropout import FastDropout
from nerzoo.modules.seq2seq_encoders.bidirectional import reverse_sequences
from nerzoo.modules.tag_distributions import SoftmaxDistribution
from nerzoo.nn.gru import run_side_by_side
from nerzoo.nn.numerics import at_least_float32
from nerzoo.training.metrics.counting_metric import TagScores


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
        # A graph of ONNX needs a loop of its own: a trace has as many steps as its example.
        run: Any = torch.jit.script(_greedy_steps) if torch.onnx.is_in_onnx_export() else _greedy_steps
        states, scores = run(*steps, given)
        return DecodedLabels(_with_given(scores.argmax(2), given), states, scores)

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
        # The search ends with the longest sentence, which padding may follow.
        return pad(sequences[:, 0], (0, length - sequences.size(2))).masked_fill(~mask, 0)


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
        state = _gru_step(gates + self.label_gates[label], state, self.state_weight, self.state_bias)
        return state, torch.addmm(context_scores, state, self.score_weight)


def _gru_step(
    gates: torch.Tensor, state: torch.Tensor, state_weight: torch.Tensor, state_bias: torch.Tensor
) -> torch.Tensor:
    size = state.size(1)
    r_z, n = gates.split([2 * size, size], 1)
    state_r_z, state_n = torch.addmm(state_bias, state, state_weight).split([2 * size, size], 1)
    r, z = (r_z + state_r_z).sigmoid().split([size, size], 1)
    return torch.lerp(torch.addcmul(n, r, state_n).tanh(), state, z)


def _greedy_steps(
    gates: torch.Tensor,
    label_gates: torch.Tensor,
    scores: torch.Tensor,
    state_weight: torch.Tensor,
    state_bias: torch.Tensor,
    score_weight: torch.Tensor,
    given: Optional[torch.Tensor],
) -> Tuple[torch.Tensor, torch.Tensor]:
    """Returns the states and scores of `GruLabelDecoder._greedy`, given the parts of its `_Steps`."""
    label = torch.full([gates.size(0)], label_gates.size(0) - 1, dtype=torch.long, device=gates.device)
    state = torch.zeros([gates.size(0), state_weight.size(0)], dtype=gates.dtype, device=gates.device)
    states, all_scores = [], []
    for time in range(gates.size(1)):
        state = _gru_step(gates[:, time] + label_gates[label], state, state_weight, state_bias)
        word_scores = torch.addmm(scores[:, time], state, score_weight)
        label = word_scores.argmax(1)
        # No label is given to a graph of ONNX, whose loop could not have an optional one.
        if not torch.jit.is_scripting() and given is not None:
            label = _with_given(label, given[:, time])
        states.append(state)
        all_scores.append(word_scores)
    return torch.stack(states, 1), torch.stack(all_scores, 1)


def _with_given(labels: torch.Tensor, given: Optional[torch.Tensor]) -> torch.Tensor:
    """Returns the labels with those that are `given`, where they are not negative, in their places."""
    return labels if given is None else torch.where(given < 0, labels, given)


@TagHead.register("seq2biseq")
class Seq2BiseqHead(TagHead):
    """
    Predicts the tags of encoded words by two decoders, one from right to left, then one from left to right that sees
    the states of the first: the upper end of Seq2Biseq (Dinarelli and Grobol, 2019, sections 3.3 to 3.5). With gold
    tags both run together, each in one go; without, one after the other, each word given the tags found before it.

    The left-to-right decoder gives the probability of an entity, its tags and the end after the last of them, the other
    tags being as decoded. `sequence_entropy` is the sum of the entropies of the tags, each given the decoded tags
    before it, and `least_confidence` one minus the product of their probabilities.

    In training both decoders read gold tags, as in the paper, and so the left-to-right one sees states of the other
    that it will not see in prediction. With a `scheduled_sampling_ratio` the right-to-left decoder reads its own tags
    at random words; the callback `scheduled_sampling` changes the ratio from epoch to epoch.

    Predictions can hold `probabilities`, for each word a dictionary of all tags, given the decoded tags before the
    word; and `backward_tags`, which the right-to-left decoder finds.

    # Parameters

    input_size : `int`
        D, the size of the encoded words.
    label_embedding_dim : `int`
    hidden_size : `int`
        H, the size of the states of each decoder.
    lexical_information : `bool`, optional (default = `True`)
        Whether the GRUs of the decoders read words beside labels, equation 5, or labels alone, equations 3 and 4.
    forward_only : `bool`, optional (default = `False`)
        Whether there is no decoder from right to left.
    shared_label_embeddings : `bool`, optional (default = `True`)
        Whether both decoders have one matrix of label embeddings.
    beam_size : `int`, optional (default = `1`)
        The number of hypotheses that each decoder keeps, at most as many as there are tags; with 1, it takes the best
        tag of each word.
    dropout : `float`, optional (default = `0.0`)
        On embedded labels and on states of decoders where they are output.
    backward_weight : `float`, optional (default = `0.5`)
        The weight of the right-to-left decoder in `loss`, 0 or more; the left-to-right one has 0.5.
    scheduled_sampling_ratio : `float`, optional (default = `0.0`)
        The probability that the right-to-left decoder reads its own tag of a word in training, not the gold one.
    **kwargs
        As in `TagHead`.

    # Raises

    `ConfigurationError` as `TagHead` does; for a number out of range, or fewer than two tags; and for a weight or a
    ratio without a right-to-left decoder.
    """

    def __init__(
        self,
        vocab: Vocabulary,
        input_size: int,
        label_embedding_dim: int,
        hidden_size: int,
        lexical_information: bool = True,
        forward_only: bool = False,
        shared_label_embeddings: bool = True,
        beam_size: int = 1,
        dropout: float = 0.0,
        backward_weight: float = 0.5,
        scheduled_sampling_ratio: float = 0.0,
        **kwargs: Any,
    ) -> None:
        super().__init__(vocab=vocab, **kwargs)
        num_tags = len(self._tags)
        if num_tags < 2:
            raise ConfigurationError(
                f"found {num_tags} labels in {self.label_namespace} ({', '.join(self._tags.values())}), expected two "
                "at least: there is nothing to predict"
            )
        if not 1 <= beam_size <= num_tags:
            raise ConfigurationError(f"beam_size must be between 1 and the {num_tags} labels, found {beam_size}")
        check_range("backward_weight", backward_weight, 0)
        check_range("scheduled_sampling_ratio", scheduled_sampling_ratio, 0, 1)
        if forward_only and (backward_weight != 0.5 or scheduled_sampling_ratio):
            raise ConfigurationError(
                "found forward_only and backward_weight or scheduled_sampling_ratio, expected none of them without a "
                "decoder from right to left"
            )
        self.beam_size = beam_size
        """The number of hypotheses that each decoder keeps."""
        self._backward_weight = backward_weight
        if not forward_only:
            self.losses = ("loss", "backward_loss")
            self.scheduled_sampling_ratio = scheduled_sampling_ratio
        self.dropout = FastDropout(dropout)
        word_size = input_size if lexical_information else 0
        embedding = torch.nn.Embedding(num_tags + 1, label_embedding_dim)
        self.backward_decoder = None
        if not forward_only:
            self.backward_decoder = GruLabelDecoder(embedding, word_size, input_size, hidden_size, dropout)
            if not shared_label_embeddings:
                embedding = torch.nn.Embedding(num_tags + 1, label_embedding_dim)
        context_size = input_size + (0 if forward_only else hidden_size)
        self.forward_decoder = GruLabelDecoder(embedding, word_size, context_size, hidden_size, dropout)
        self.distribution = SoftmaxDistribution(num_tags)
        self.distribution.temperature = self.temperature
        self._backward_scores = TagScores(vocab, self.label_namespace)

    def forward(
        self,
        encoded: torch.Tensor,
        mask: torch.BoolTensor,
        tags: Optional[torch.Tensor] = None,
        decode: bool = True,
        annotated: Optional[torch.Tensor] = None,
        loss_weight: Optional[torch.Tensor] = None,
        marginals: Optional[torch.Tensor] = None,
    ) -> Dict[str, torch.Tensor]:
        """
        Returns what `TagHead` describes. The left-to-right decoder gives `logits`, whose softmax is the probability of
        each tag, and the right-to-left decoder, if there is one, `backward_tags` (B, T). `loss` is equation 8 without
        regularisation: half of the negative log-likelihood of the left-to-right decoder, plus that of the right-to-left
        one, `backward_loss`, times `backward_weight`; or all of it where there is one decoder. Losses are averaged over
        the tokens of the batch. Raises `ConfigurationError` for `annotated`, which the decoders do not read, and for a
        `loss_weight` or `marginals`.
        """
        if annotated is not None:
            expected = "the head projection, or a mixture that is not partial"
            raise ConfigurationError(f"found sentences of which only some types are annotated, expected {expected}")
        if loss_weight is not None or marginals is not None:
            raise ConfigurationError("found sentences with loss_weight or marginals, expected the head projection")
        outputs: Dict[str, torch.Tensor] = {"mask": mask}
        if tags is not None:
            known = self.known_tags(tags)
            scores, backward_scores = self._scores(encoded, mask, known)
            outputs["loss"] = self._loss(scores, known, mask)
            if backward_scores is not None:
                outputs["backward_loss"] = self._loss(backward_scores, known, mask)
                outputs["loss"] = outputs["loss"] / 2 + self._backward_weight * outputs["backward_loss"]
        if decode:
            outputs |= self._decode(encoded, mask)
            if tags is not None:
                self.score(self.kept_tags(outputs), tags, mask)
                if self.backward_decoder is not None:
                    self._backward_scores(outputs["backward_tags"], tags, mask)
        return outputs

    @property
    def extra_outputs(self) -> Dict[str, ExtraOutput]:
        outputs = {**super().extra_outputs, "probabilities": self._tag_probabilities}
        return outputs if self.backward_decoder is None else {**outputs, "backward_tags": self._backward_tags}

    def get_metrics(self, reset: bool = False) -> Dict[str, float]:
        """Returns the scores of `TagHead` and `backward_accuracy`, the accuracy of the right-to-left decoder."""
        metrics = super().get_metrics(reset)
        if self.backward_decoder is not None:
            metrics["backward_accuracy"] = self._backward_scores.get_metric(reset)["accuracy"]
        return metrics

    def _scores(
        self, encoded: torch.Tensor, mask: torch.BoolTensor, tags: torch.Tensor
    ) -> Tuple[torch.Tensor, Optional[torch.Tensor]]:
        """
        Computes the scores (B, T, L) of both decoders, given the gold tags before or after each word. With scheduled
        sampling, some of the tags after it are the decoder's own.
        """
        inputs = self.forward_decoder.inputs(encoded, tags)
        if self.backward_decoder is None:
            (states,) = run_side_by_side([self.forward_decoder.gru], [inputs])
            return self.forward_decoder.scores(self.dropout(states), encoded), None
        reverse, reverse_tags = reverse_sequences(encoded, mask), reverse_sequences(tags, mask)
        if self.training and self.scheduled_sampling_ratio > 0:
            is_own = torch.rand(tags.shape, device=tags.device) < self.scheduled_sampling_ratio
            reverse_tags = self.backward_decoder.sampled_labels(reverse, reverse, reverse_tags, is_own)
        states, backward_states = run_side_by_side(
            [self.forward_decoder.gru, self.backward_decoder.gru],
            [inputs, self.backward_decoder.inputs(reverse, reverse_tags)],
        )
        backward_states = self.dropout(reverse_sequences(backward_states, mask))
        context = torch.cat([encoded, backward_states], -1)
        return (
            self.forward_decoder.scores(self.dropout(states), context),
            self.backward_decoder.scores(backward_states, encoded),
        )

    def _loss(self, scores: torch.Tensor, tags: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        return -self.distribution.log_likelihood(scores, tags, mask).sum() / mask.sum()

    def _decode(self, encoded: torch.Tensor, mask: torch.BoolTensor) -> Dict[str, torch.Tensor]:
        outputs, context = {}, encoded
        if self.backward_decoder is not None:
            reverse = reverse_sequences(encoded, mask)
            backward = self.backward_decoder.decode(reverse, reverse, mask, self.beam_size)
            context = torch.cat([encoded, reverse_sequences(backward.states, mask)], -1)
            outputs["backward_tags"] = reverse_sequences(backward.labels, mask) * mask
        decoded = self.forward_decoder.decode(encoded, context, mask, self.beam_size)
        return outputs | {"tags": decoded.labels * mask, "logits": decoded.scores * mask.unsqueeze(-1)}

    def _tag_probabilities(self, outputs: Dict[str, Any], metadata: Metadata) -> List[List[Dict[str, float]]]:
        probabilities = self.distribution.scaled(outputs["logits"]).softmax(-1).tolist()
        return [
            [{self._tags[tag]: p for tag, p in enumerate(word)} for word in row[: len(sentence["words"])]]
            for row, sentence in zip(probabilities, metadata, strict=True)
        ]

    def _backward_tags(self, outputs: Dict[str, Any], metadata: Metadata) -> List[List[str]]:
        return self.tag_names(outputs["backward_tags"], metadata)
