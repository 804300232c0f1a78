from itertools import islice
from typing import Any, Dict, List, NamedTuple, Optional

import torch
from allennlp.common import Lazy
from allennlp.common.checks import check_dimensions_match
from allennlp.data import Vocabulary
from allennlp.modules import FeedForward
from allennlp.modules.conditional_random_field.conditional_random_field import allowed_transitions
from torch.nn.functional import pad

from nerzoo.errors import check_range
from nerzoo.models.heads.tag_head import ExtraOutput, Metadata, TagHead
from nerzoo.modules.tag_distributions.tag_distribution import TagDistribution
from nerzoo.nn.numerics import IMPOSSIBLE
from nerzoo.text.tag_schemes import tags_to_entities


class BestSequences(NamedTuple):
    """
    The k best tag sequences of each of B sentences, best first: their `tags` (B, k, T); their `probabilities` (B, k),
    shares among all sequences that can be decoded; and `before` (B, k), the sum of the probabilities of better ones.
    Sequences that do not exist, because a sentence has fewer, have probability 0 and infinity before them.
    """

    tags: torch.Tensor
    probabilities: torch.Tensor
    before: torch.Tensor


@TagHead.register("projection")
class ProjectionHead(TagHead):
    """
    Projects encoded words to scores of tags, of which a distribution over tag sequences is made. Where tags stand for
    entities, a CRF decodes well-formed sequences only, unless its `constrain_decoding` is `False`.

    Predictions can hold `logits`, a list of L for each word, and `n_best`: the best tag sequences of the sentence, best
    first, each a dictionary of `tags`, its `entities` (`start`, `end` and `label`) if tags stand for entities, and
    `probability`, its share among all sequences that can be decoded. With an `n_best_mass` they are the smallest set of
    sequences whose probabilities add up to more than that, and `n_best_complete` says whether `n_best` sequences were
    enough.

    # Parameters

    input_size : `int`
        H, the size of the encoded words.
    feedforward : `Lazy[FeedForward]`, optional
        Hidden layers between the encoded words and the scores of tags. The head gives their `input_dim`.
    distribution : `Lazy[TagDistribution]`, optional (default = a `crf`)
        `"crf"`: tags depend on their neighbours; `"softmax"`: they do not.
    n_best : `int`, optional (default = `5`)
        The number of sequences of each sentence in the extra output `n_best`. Below one it raises
        `ConfigurationError`.
    n_best_mass : `float`, optional
        The probability that the sequences in `n_best` exceed, which `allennlp calibrate --coverage` fits.
    **kwargs
        As in `TagHead`, with its errors.
    """

    def __init__(
        self,
        vocab: Vocabulary,
        input_size: int,
        feedforward: Optional[Lazy[FeedForward]] = None,
        distribution: Lazy[TagDistribution] = Lazy(TagDistribution),
        n_best: int = 5,
        n_best_mass: Optional[float] = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(vocab=vocab, **kwargs)
        check_range("n_best", n_best, 1)
        self.n_best = n_best
        self.n_best_mass = n_best_mass
        self.feedforward = None
        if feedforward is not None:
            self.feedforward = feedforward.construct(input_dim=input_size)
            check_dimensions_match(
                self.feedforward.get_input_dim(), input_size, "input of feedforward", "size of the encoded words"
            )
            input_size = self.feedforward.get_output_dim()
        self.tag_projection = torch.nn.Linear(input_size, len(self._tags))
        constraints = allowed_transitions(self.coding_scheme, self._tags) if self.coding_scheme else None
        self.distribution = distribution.construct(num_tags=len(self._tags), constraints=constraints)
        self.distribution.temperature = self.temperature

    def forward(
        self,
        encoded: torch.Tensor,
        mask: torch.BoolTensor,
        tags: Optional[torch.Tensor] = None,
        decode: bool = True,
        annotated: Optional[torch.Tensor] = None,
    ) -> Dict[str, torch.Tensor]:
        """
        Returns what `TagHead` describes, and `logits` in any case. `loss` is the negative log-likelihood of the gold
        tags, averaged over the tokens of the batch.
        """
        if self.feedforward is not None:
            encoded = self.feedforward(encoded)
        logits = self.tag_projection(encoded)
        if annotated is not None:
            logits = logits.masked_fill(~annotated.unsqueeze(1), IMPOSSIBLE)
        outputs = {"logits": logits, "mask": mask}
        if tags is not None:
            outputs["loss"] = -self.distribution.log_likelihood(logits, tags, mask).sum() / mask.sum()
        if decode:
            outputs["tags"] = self.distribution.viterbi(logits, mask)[0].squeeze(1)
            if tags is not None:
                self.score(self.kept_tags(outputs), tags, mask)
        return outputs

    @property
    def extra_outputs(self) -> Dict[str, ExtraOutput]:
        outputs = {**super().extra_outputs, "logits": self._logits, "n_best": self._described_sequences}
        return outputs if self.n_best_mass is None else {**outputs, "n_best_complete": self._are_complete}

    @torch.no_grad()
    def best_sequences(self, outputs: Dict[str, Any]) -> BestSequences:
        """Returns the `n_best` sequences of each sentence, given what `forward` returns."""
        logits, mask = outputs["logits"], outputs["mask"]
        tags, scores = self.distribution.viterbi(logits, mask, self.n_best)
        log_partition = self.distribution.log_partition(logits, mask, decodable=True)
        # A single share may exceed the whole by rounding.
        probabilities = (scores.double() - log_partition.double().unsqueeze(1)).exp().clamp(max=1.0)
        before = pad(probabilities.cumsum(1)[:, :-1], (1, 0)).masked_fill(scores == float("-inf"), float("inf"))
        return BestSequences(tags, probabilities, before)

    def _logits(self, outputs: Dict[str, Any], metadata: Metadata) -> List[List[List[float]]]:
        return [
            row[: len(sentence["words"])].tolist() for row, sentence in zip(outputs["logits"], metadata, strict=True)
        ]

    def _described_sequences(self, outputs: Dict[str, Any], metadata: Metadata) -> List[List[Dict[str, Any]]]:
        best = self.best_sequences(outputs)
        limit = torch.finfo(torch.float64).max if self.n_best_mass is None else self.n_best_mass
        # The metadata of a sentence, once for each of its k sequences.
        repeated = [sentence for sentence in metadata for _ in range(self.n_best)]
        names = iter(self.tag_names(best.tags.flatten(0, 1), repeated))
        return [
            [
                self._sequence(tags, probability)
                for is_shown, probability, tags in zip(*row, islice(names, self.n_best), strict=True)
                if is_shown
            ]
            for row in zip((best.before <= limit).tolist(), best.probabilities.tolist(), strict=True)
        ]

    def _are_complete(self, outputs: Dict[str, Any], metadata: Metadata) -> List[bool]:
        best = self.best_sequences(outputs)
        # The sum is infinite where the last sequence does not exist.
        return (best.before[:, -1] + best.probabilities[:, -1] > (self.n_best_mass or 0.0)).tolist()

    def _sequence(self, tags: List[str], probability: float) -> Dict[str, Any]:
        sequence: Dict[str, Any] = {"tags": tags}
        if self.coding_scheme is not None:
            sequence["entities"] = [entity._asdict() for entity in tags_to_entities(tags, self.coding_scheme)]
        return {**sequence, "probability": probability}
