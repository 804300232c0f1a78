from typing import Dict, Optional

import torch
from allennlp.common.checks import ConfigurationError, check_dimensions_match
from allennlp.data import Vocabulary
from allennlp.modules import FeedForward
from allennlp.modules.conditional_random_field.conditional_random_field import allowed_transitions

from nerzoo.models.heads.tag_head import TagHead
from nerzoo.modules.tag_distributions.tag_distribution import TagDistribution


class ProjectionHead(TagHead):
    """
    The upper end of a tagger: encoded words to tags, loss, scores and entities.

    # Parameters

    vocab : `Vocabulary`
    input_size : `int`
        H, the size of the encoded words.
    decoder : `str`, optional (default = `"crf"`)
        `"crf"`: tags depend on their neighbours; `"softmax"`: they do not.
    label_encoding : `str`, optional
        Here and below, as in `TagHead`. With it a CRF decodes well-formed sequences only.
    metrics_per_type : `bool`, optional (default = `False`)
    label_namespace : `str`, optional (default = `"labels"`)
    feedforward : `FeedForward`, optional
        Hidden layers between the encoded words and the scores of tags.
    positive_label : `str`, optional
    concept_error_rate : `bool`, optional (default = `False`)

    # Raises

    `ConfigurationError` as `TagHead` does, and where the decoder is unknown or sizes do not fit.
    """

    def __init__(
        self,
        vocab: Vocabulary,
        input_size: int,
        decoder: str = "crf",
        label_encoding: Optional[str] = None,
        metrics_per_type: bool = False,
        label_namespace: str = "labels",
        feedforward: Optional[FeedForward] = None,
        positive_label: Optional[str] = None,
        concept_error_rate: bool = False,
    ) -> None:
        super().__init__(vocab, label_encoding, metrics_per_type, label_namespace, positive_label, concept_error_rate)
        if decoder not in TagDistribution.list_available():
            raise ConfigurationError(f"decoder must be one of {TagDistribution.list_available()}, found {decoder!r}")
        if feedforward is not None:
            check_dimensions_match(
                feedforward.get_input_dim(), input_size, "input of feedforward", "size of the encoded words"
            )
            input_size = feedforward.get_output_dim()
        self.feedforward = feedforward
        self.tag_projection = torch.nn.Linear(input_size, len(self._tags))
        constraints = allowed_transitions(label_encoding, self._tags) if label_encoding else None
        self.decoder = TagDistribution.by_name(decoder)(len(self._tags), constraints)

    def forward(
        self,
        encoded: torch.Tensor,
        mask: torch.BoolTensor,
        tags: Optional[torch.LongTensor] = None,
        decode: bool = True,
    ) -> Dict[str, torch.Tensor]:
        """
        # Parameters

        encoded : `torch.Tensor`
            Shape (B, T, H).
        mask : `torch.BoolTensor`
            Shape (B, T).
        tags : `torch.LongTensor`, optional
            The gold tags, shape (B, T).
        decode : `bool`, optional (default = `True`)
            Whether to find the best tags and, where the gold ones are known, to score them.

        # Returns

        `logits` (B, T, L) and `mask`; `tags` (B, T), the best ones, if `decode`; `loss` if gold tags are given: their
        negative log-likelihood, averaged over the tokens of the batch.
        """
        if self.feedforward is not None:
            encoded = self.feedforward(encoded)
        logits = self.tag_projection(encoded)
        outputs = {"logits": logits, "mask": mask}
        if tags is not None:
            outputs["loss"] = -self.decoder.log_likelihood(logits, tags, mask).sum() / mask.sum()
        if decode:
            outputs["tags"] = self.decoder.viterbi(logits, mask)[0].squeeze(1)
            if tags is not None:
                self.score(outputs["tags"], tags, mask)
        return outputs
