from itertools import chain, islice
from typing import Any, Callable, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple

import torch
from allennlp.common import Lazy, Registrable
from allennlp.common.checks import ConfigurationError, check_dimensions_match
from allennlp.data import Vocabulary
from allennlp.modules import FeedForward
from allennlp.modules.conditional_random_field.conditional_random_field import allowed_transitions
from torch.nn.functional import pad
from torch.nn.utils.rnn import pad_sequence

from nerzoo.data.fields import vocabulary_coding_scheme
from nerzoo.errors import check_range
from nerzoo.modules.tag_distributions import TagDistribution
from nerzoo.nn.numerics import IMPOSSIBLE, check_temperature
from nerzoo.text.annotation import entities_to_json, tags_to_entities
from nerzoo.training.metrics.concept_error_rate import ConceptErrorRate
from nerzoo.training.metrics.counting_metric import TagMetric, TagScores
from nerzoo.training.metrics.span_f1 import SpanF1, SpanFinder

_LEAST_MARGINAL = 1e-4
"""Predictions leave out the marginals below it: nearly all of them."""

Metadata = List[Dict[str, Any]]
"""The metadata of B sentences: `words`, `text`, `offsets` and more; see `TagHead.make_output_human_readable`."""

ExtraOutput = Callable[[Dict[str, Any], Metadata], List[Any]]
"""Computes an extra output of B sentences, given the outputs of a head and the metadata of the sentences."""


class TagHead(torch.nn.Module, Registrable):
    """
    The upper end of a tagger: computes loss, tags, entities and scores from encoded words.

    The vocabulary says whether tags stand for entities, and in which coding scheme; see `TagField`. Tags without a
    coding scheme stand for themselves.

    A subclass finds the tags in `forward`, sets `distribution`, and hands `**kwargs` on to this constructor.

    # Parameters

    label_namespace : `str`, optional (default = `"labels"`)
    metrics : `List[Lazy[TagMetric]]`, optional
        The scores to report. The default is `conlleval` or, for tags without a coding scheme, `tag_scores`.
    metrics_per_type : `bool`, optional (default = `False`)
        Sets `per_type` of `conlleval`: precision, recall and F1 of each type of entity as well.
    positive_label : `str`, optional
        Sets `positive_label` of `tag_scores`: the tag whose precision, recall and F0.5 are reported.
    concept_error_rate : `bool`, optional (default = `False`)
        Adds the metric `concept_error_rate`.
    sclite_weights : `bool`, optional (default = `False`)
        Sets `sclite_weights` of `concept_error_rate`.
    temperature : `float`, optional (default = `1.0`)
        The `temperature` of the distribution, which `nerzoo calibrate` fits.
    min_probability : `float`, optional (default = `0.0`)
        Entities of a lower probability are left out of predictions and scores; their words have the tag O.

    # Raises

    `ConfigurationError` for tags of two coding schemes, or of another one than `"BIO"` and `"BIOUL"`; for a tag that
    does not fit the coding scheme; for an unknown positive label; for metrics that do not fit the tags or report the
    same score; for a temperature that is not positive; and for a `min_probability` of tags that do not stand for
    entities.
    """

    default_implementation = "projection"

    losses: Tuple[str, ...] = ("loss",)
    """The outputs of `forward` that are losses, averaged over tokens."""

    distribution: TagDistribution
    """The distribution over tag sequences from which the probabilities of entities are."""

    def __init__(
        self,
        vocab: Vocabulary,
        label_namespace: str = "labels",
        metrics: Optional[List[Lazy[TagMetric]]] = None,
        metrics_per_type: bool = False,
        positive_label: Optional[str] = None,
        concept_error_rate: bool = False,
        sclite_weights: bool = False,
        temperature: float = 1.0,
        min_probability: float = 0.0,
    ) -> None:
        super().__init__()
        check_temperature(temperature)
        self.temperature = temperature
        self.min_probability = min_probability
        self.label_namespace = label_namespace
        self.coding_scheme = scheme = vocabulary_coding_scheme(vocab)
        self._tags: Dict[int, str] = vocab.get_index_to_token_vocabulary(label_namespace)
        self._tag_ids: Dict[str, int] = vocab.get_token_to_index_vocabulary(label_namespace)
        if min_probability and (scheme is None or "O" not in self._tag_ids):
            raise ConfigurationError(
                f"found min_probability {min_probability:g}, expected tags that stand for entities, or for none by O"
            )
        if scheme is None and concept_error_rate:
            raise ConfigurationError(
                "found concept_error_rate and tags without a coding scheme, expected tags that stand for concepts"
            )
        if scheme is not None:
            if positive_label and metrics is None:
                raise ConfigurationError(
                    f"found positive_label {positive_label!r} and the coding scheme {scheme}, expected one of them: "
                    "there is no F0.5 of tags that stand for entities"
                )
            _check_tags(self._tag_ids, scheme)
            self._find_spans = SpanFinder(vocab, scheme, label_namespace)
        if metrics is None:
            metrics = [Lazy(TagScores if scheme is None else SpanF1)]
        if concept_error_rate:
            metrics = [*metrics, Lazy(ConceptErrorRate)]
        options = {"per_type": metrics_per_type, "positive_label": positive_label, "sclite_weights": sclite_weights}
        given = {name: value for name, value in options.items() if value}
        self.metrics = [
            metric.construct(vocabulary=vocab, coding_scheme=scheme, tag_namespace=label_namespace, **given)
            for metric in metrics
        ]
        names = [name for metric in self.metrics for name in metric.get_metric()]
        if len(names) > len({*names}):
            raise ConfigurationError(f"found metrics that report {', '.join(names)}, expected each of them once")

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
        Computes the loss of encoded words (B, T, H) with the mask (B, T), given the gold `tags` (B, T), and decodes and
        scores the best tags. With `annotated`, (B, L), only these tags are possible in a sentence. With `loss_weight`,
        (B,), the loss of each sentence is multiplied by its weight. With `marginals`, (B, T, L), sentences whose
        marginals are not all zero learn these probabilities of a teacher in place of the tags. Returns `mask`;
        `losses` if gold tags are given; if `decode`, `tags` (B, T), the best ones, and `logits` (B, T, L).
        """
        raise NotImplementedError

    @property
    def types(self) -> List[str]:
        """The types of entities, in order; none where tags stand for themselves."""
        return [] if self.coding_scheme is None else self._find_spans.types

    @property
    def extra_outputs(self) -> Dict[str, ExtraOutput]:
        """
        The outputs that predictions hold on request, by name. All heads have `sequence_entropy`, see
        `TagDistribution.entropy`; `least_confidence`, one minus the probability of the decoded tag sequence; and
        `marginals`, for each word a dictionary of the tags whose probabilities are at least 0.0001. Where tags stand
        for entities, they have `gold_entities`, with the probability of each, of sentences with gold tags.
        """
        outputs: Dict[str, ExtraOutput] = {
            "sequence_entropy": self._entropies,
            "least_confidence": self._least_confidences,
            "marginals": self._marginals,
        }
        return outputs if self.coding_scheme is None else {**outputs, "gold_entities": self._gold_entities}

    def known_tags(self, tags: torch.Tensor) -> torch.Tensor:
        """Returns gold tags (B, T) with O, if there is one, in the place of tags that the vocabulary lacks."""
        return tags.where(tags < len(self._tags), self._tag_ids.get("O", 0))

    def score(self, tags: torch.Tensor, gold_tags: torch.Tensor, mask: torch.BoolTensor) -> None:
        """Hands the predicted `tags` (B, T) and the gold ones to the metrics."""
        for metric in self.metrics:
            metric(tags, gold_tags, mask)

    def get_metrics(self, reset: bool = False) -> Dict[str, float]:
        """Returns the scores of all metrics."""
        return {name: score for metric in self.metrics for name, score in metric.get_metric(reset).items()}

    def kept_tags(self, outputs: Dict[str, Any]) -> torch.Tensor:
        """Returns the decoded tags (B, T) of `outputs` without the entities below `min_probability`."""
        tags: torch.Tensor = outputs["tags"]
        if not self.min_probability:
            return tags
        types, starts, ends = self._find_spans(tags, outputs["mask"])
        rows, first = starts.nonzero(as_tuple=True)
        last = ends[rows, first]
        spans = torch.stack([rows, first, last + 1], dim=1)
        inside_ids = tags.new_tensor(self._inside_ids(self._find_spans.types))[types[rows, first] - 1]
        probabilities = self.distribution.entity_probabilities(
            outputs["logits"], outputs["mask"], tags, spans, inside_ids
        )
        is_dropped = torch.zeros_like(starts)
        is_dropped[rows, last] = probabilities < self.min_probability
        # Spreads the flag at the last token of each entity over its tokens.
        is_dropped = is_dropped.gather(1, ends.clamp(max=tags.size(1) - 1)) & (types > 0)
        return tags.masked_fill(is_dropped, self._tag_ids["O"])

    def gold_tags(self, outputs: Dict[str, Any], metadata: Metadata) -> torch.Tensor:
        """
        Returns the gold tags (B, T) in the `metadata` of B sentences, see `known_tags`. Raises `ConfigurationError` for
        a sentence without gold tags.
        """
        if not all(sentence.get("gold_tags") for sentence in metadata):
            raise ConfigurationError(
                "found a sentence without gold tags, expected some: those of a file, as with --use-dataset-reader"
            )
        rows = [
            torch.tensor([self._tag_ids.get(name, len(self._tags)) for name in sentence["gold_tags"]])
            for sentence in metadata
        ]
        tags = pad_sequence(rows, batch_first=True)
        tags = pad(tags, (0, outputs["tags"].shape[1] - tags.shape[1]))
        return self.known_tags(tags.to(outputs["tags"].device))

    def make_output_human_readable(
        self, outputs: Dict[str, Any], metadata: Metadata, extra_outputs: Sequence[str] = ()
    ) -> Dict[str, List[Any]]:
        """
        Describes B sentences, given the outputs of `forward`: `tags` (B, T), `logits` (B, T, L) and `mask` (B, T).
        Metadata have the `words` of each sentence, its `text`, and `offsets`, where the words start in the text. Extra
        outputs that the head does not have are ignored.

        Returns for each sentence `doc_id`, the id of its document, and `gold_tags`, if all sentences have them; `words`
        and `tags`; where tags stand for entities, `entities`, see `entities_to_json`; and the extra outputs.
        """
        tags = self.kept_tags(outputs)
        readable: Dict[str, List[Any]] = {
            name: [sentence[key] for sentence in metadata]
            for name, key in (("doc_id", "document_id"), ("gold_tags", "gold_tags"))
            if all(sentence.get(key) is not None for sentence in metadata)
        }
        readable["words"] = [sentence["words"] for sentence in metadata]
        readable["tags"] = self.tag_names(tags, metadata)
        if self.coding_scheme is not None:
            readable["entities"] = self._described_entities(outputs, tags, readable["tags"], metadata)
        for name, describe in self.extra_outputs.items():
            if name in extra_outputs:
                readable[name] = describe(outputs, metadata)
        return readable

    def tag_names(self, tags: torch.Tensor, metadata: Metadata) -> List[List[str]]:
        """Returns the names of `tags` (B, T), for each sentence as many as it has words."""
        return [
            [self._tags[tag] for tag in row[: len(sentence["words"])]]
            for row, sentence in zip(tags.tolist(), metadata, strict=True)
        ]

    def _described_entities(
        self, outputs: Dict[str, Any], tags: torch.Tensor, names: List[List[str]], metadata: Metadata
    ) -> List[List[Dict[str, Any]]]:
        """Describes the entities of `tags` (B, T), whose `names` are given, and their probabilities."""
        assert self.coding_scheme is not None
        entities = [tags_to_entities(sentence_names, self.coding_scheme) for sentence_names in names]
        placed = [(row, *entity) for row, sentence_entities in enumerate(entities) for entity in sentence_entities]
        spans = tags.new_tensor([span[:3] for span in placed]).view(-1, 3)
        inside_ids = tags.new_tensor(self._inside_ids(label for *_, label in placed))
        probabilities = self.distribution.entity_probabilities(
            outputs["logits"], outputs["mask"], tags, spans, inside_ids
        )
        rest = iter(probabilities.tolist())
        return [
            entities_to_json(zip(sentence_entities, rest, strict=False), sentence)
            for sentence_entities, sentence in zip(entities, metadata, strict=True)
        ]

    def _inside_ids(self, types: Iterable[str]) -> List[int]:
        """
        Returns the tag that would prolong an entity of each type, or -1. In BIO, an entity ends where no I of its type
        follows; in BIOUL, it ends with a tag of its own.
        """
        return [self._tag_ids.get(f"I-{type_}", -1) if self.coding_scheme == "BIO" else -1 for type_ in types]

    def _marginals(self, outputs: Dict[str, Any], metadata: Metadata) -> List[List[Dict[str, float]]]:
        found = self.distribution.marginals(outputs["logits"], outputs["mask"])
        return [
            [
                {self._tags[tag]: round(p, 6) for tag, p in enumerate(word) if p >= _LEAST_MARGINAL}
                for word in row[: len(sentence["words"])]
            ]
            for row, sentence in zip(found.tolist(), metadata, strict=True)
        ]

    def _entropies(self, outputs: Dict[str, Any], metadata: Metadata) -> List[float]:
        return self.distribution.entropy(outputs["logits"], outputs["mask"]).tolist()

    def _least_confidences(self, outputs: Dict[str, Any], metadata: Metadata) -> List[float]:
        best = self.distribution.best_probability(outputs["logits"], outputs["mask"], outputs["tags"])
        return (1 - best).tolist()

    def _gold_entities(self, outputs: Dict[str, Any], metadata: Metadata) -> List[List[Dict[str, Any]]]:
        tags = self.gold_tags(outputs, metadata)
        described = self._described_entities(outputs, tags, [sentence["gold_tags"] for sentence in metadata], metadata)
        for entity in chain.from_iterable(described):
            # No model finds an entity of a type that it does not know.
            entity["probability"] *= entity["label"] in self._find_spans.types
        return described


def _check_tags(tags: Dict[str, int], coding_scheme: str) -> None:
    """Raises where no head decodes such tags, or one lacks its counterpart; `SpanFinder` looks at the prefixes."""
    if coding_scheme not in ("BIO", "BIOUL"):
        raise ConfigurationError(f"the coding_scheme of the reader must be BIO or BIOUL, found {coding_scheme!r}")
    if not tags.keys() - {"O"}:
        raise ConfigurationError(
            f"found no entity among the labels ({', '.join(tags) or 'none'}), expected one at least in the data that "
            "the vocabulary is from: there is nothing to learn"
        )
    for tag in tags:
        # BIO's tags are all BIOUL's, but none of them ends an entity there.
        if coding_scheme == "BIOUL" and tag.startswith("B-") and f"L-{tag[2:]}" not in tags:
            raise ConfigurationError(
                f"found the coding scheme BIOUL and a tag {tag}, but no L-{tag[2:]}; expected tags of the scheme"
            )


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
        The probability that the sequences in `n_best` exceed, which `nerzoo calibrate --coverage` fits.
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
        loss_weight: Optional[torch.Tensor] = None,
        marginals: Optional[torch.Tensor] = None,
    ) -> Dict[str, torch.Tensor]:
        """
        Returns what `TagHead` describes, and `logits` in any case. `loss` is the negative log-likelihood of the gold
        tags or, for sentences with the `marginals` q of a teacher, the cross-entropy with the marginals p of the
        distribution, - sum_t sum_l q_t(l) log p_t(l); summed over sentences, each with its weight, and divided by the
        number of tokens of the batch.
        """
        if self.feedforward is not None:
            encoded = self.feedforward(encoded)
        logits = self.tag_projection(encoded)
        if annotated is not None:
            logits = logits.masked_fill(~annotated.unsqueeze(1), IMPOSSIBLE)
        outputs = {"logits": logits, "mask": mask}
        if tags is not None:
            log_likelihood = self.distribution.log_likelihood(logits, self.known_tags(tags), mask)
            if marginals is not None:
                expected = (marginals * self.distribution.log_marginals(logits, mask)).sum((1, 2))
                log_likelihood = torch.where(marginals.sum((1, 2)) > 0, expected, log_likelihood)
            if loss_weight is not None:
                log_likelihood = log_likelihood * loss_weight
            outputs["loss"] = -log_likelihood.sum() / mask.sum()
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
