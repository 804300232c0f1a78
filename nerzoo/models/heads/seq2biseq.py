from typing import Any, Dict, List, Optional, Tuple

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary

from nerzoo.errors import check_range
from nerzoo.models.heads.gru_label_decoder import GruLabelDecoder
from nerzoo.models.heads.tag_head import ExtraOutput, Metadata, TagHead
from nerzoo.modules.dropout import FastDropout
from nerzoo.modules.tag_distributions.softmax import SoftmaxDistribution
from nerzoo.nn.batches import reverse_sequences
from nerzoo.nn.gru import run_side_by_side
from nerzoo.training.metrics.counting_metric import TagScores


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
        self._beam_size = beam_size
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
    ) -> Dict[str, torch.Tensor]:
        """
        Returns what `TagHead` describes. The left-to-right decoder gives `logits`, whose softmax is the probability of
        each tag, and the right-to-left decoder, if there is one, `backward_tags` (B, T). `loss` is equation 8 without
        regularisation: half of the negative log-likelihood of the left-to-right decoder, plus that of the right-to-left
        one, `backward_loss`, times `backward_weight`; or all of it where there is one decoder. Losses are averaged over
        the tokens of the batch. Raises `ConfigurationError` for `annotated`, which the decoders do not read.
        """
        if annotated is not None:
            expected = "the head projection, or a mixture that is not partial"
            raise ConfigurationError(f"found sentences of which only some types are annotated, expected {expected}")
        outputs: Dict[str, torch.Tensor] = {"mask": mask}
        if tags is not None:
            scores, backward_scores = self._scores(encoded, mask, tags)
            outputs["loss"] = self._loss(scores, tags, mask)
            if backward_scores is not None:
                outputs["backward_loss"] = self._loss(backward_scores, tags, mask)
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
            backward = self.backward_decoder.decode(reverse, reverse, mask, self._beam_size)
            context = torch.cat([encoded, reverse_sequences(backward.states, mask)], -1)
            outputs["backward_tags"] = reverse_sequences(backward.labels, mask) * mask
        decoded = self.forward_decoder.decode(encoded, context, mask, self._beam_size)
        return outputs | {"tags": decoded.labels * mask, "logits": decoded.scores * mask.unsqueeze(-1)}

    def _tag_probabilities(self, outputs: Dict[str, Any], metadata: Metadata) -> List[List[Dict[str, float]]]:
        probabilities = self.distribution.scaled(outputs["logits"]).softmax(-1).tolist()
        return [
            [{self._tags[tag]: p for tag, p in enumerate(word)} for word in row[: len(sentence["words"])]]
            for row, sentence in zip(probabilities, metadata, strict=True)
        ]

    def _backward_tags(self, outputs: Dict[str, Any], metadata: Metadata) -> List[List[str]]:
        return self.tag_names(outputs["backward_tags"], metadata)
