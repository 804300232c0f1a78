from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import torch
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary

from nerzoo.data.fields import vocabulary_coding_scheme
from nerzoo.modules.tag_distributions.tag_distribution import TagDistribution
from nerzoo.nn.numerics import check_temperature
from nerzoo.text.annotation import entities_to_json
from nerzoo.text.tag_schemes import tags_to_entities
from nerzoo.training.metrics.concept_error_rate import ConceptErrorRate
from nerzoo.training.metrics.span_f1 import SpanF1, SpanFinder
from nerzoo.training.metrics.tag_scores import TagScores


class TaggedEntities:
    """
    The entities that tags stand for, and their probabilities. `outputs` are those of a `TagHead`: `tags` (B, T), the
    `logits` (B, T, L) that they were found by, and `mask`.

    # Parameters

    vocab : `Vocabulary`
    coding_scheme : `str`
        `"BIO"` or `"BIOUL"`.
    label_namespace : `str`

    # Raises

    `ConfigurationError` where the coding scheme is another one, no tag stands for an entity, or a tag does not fit the
    coding scheme.
    """

    def __init__(self, vocab: Vocabulary, coding_scheme: str, label_namespace: str) -> None:
        self._coding_scheme = coding_scheme
        self._tag_ids: Dict[str, int] = vocab.get_token_to_index_vocabulary(label_namespace)
        _check_tags(self._tag_ids, coding_scheme)
        self._spans = SpanFinder(vocab, coding_scheme, label_namespace)

    def below(self, probability: float, distribution: TagDistribution, outputs: Dict[str, Any]) -> torch.Tensor:
        """Marks the words (B, T) of decoded entities that are less likely than this."""
        tags = outputs["tags"]
        types, starts, ends = self._spans(tags, outputs["mask"])
        rows, first = starts.nonzero(as_tuple=True)
        last = ends[rows, first]
        prolonging = [self._prolonging(type_) for type_ in self._spans.types]
        probabilities = distribution.entity_probabilities(
            outputs["logits"],
            outputs["mask"],
            tags,
            torch.stack([rows, first, last + 1], dim=1),
            torch.tensor(prolonging, dtype=torch.long, device=tags.device)[types[rows, first] - 1],
        )
        is_left_out = torch.zeros_like(starts)
        is_left_out[rows, last] = probabilities < probability
        # Of each word of an entity, whether that which ends where its entity ends is left out.
        return is_left_out.gather(1, ends.clamp(max=tags.size(1) - 1)) & (types > 0)

    def described(
        self,
        distribution: TagDistribution,
        outputs: Dict[str, Any],
        tags: torch.Tensor,
        names: List[List[str]],
        metadata: List[Dict[str, Any]],
    ) -> List[List[Dict[str, Any]]]:
        """
        Describes the entities that `tags` (B, T), with the `names` of each sentence, stand for, each with its
        probability, in the form of `entities_to_json`.
        """
        entities = [tags_to_entities(of_sentence, self._coding_scheme) for of_sentence in names]
        placed = [(row, entity) for row, of_sentence in enumerate(entities) for entity in of_sentence]
        spans: List[Tuple[int, int, int]] = [(row, entity.start, entity.end) for row, entity in placed]
        prolonging = [self._prolonging(entity.label) for _, entity in placed]
        logits = outputs["logits"]
        probabilities = iter(
            distribution.entity_probabilities(
                logits,
                outputs["mask"],
                tags,
                torch.tensor(spans, dtype=torch.long, device=logits.device).view(-1, 3),
                torch.tensor(prolonging, dtype=torch.long, device=logits.device),
            ).tolist()
        )
        return [
            entities_to_json(zip(of_sentence, probabilities, strict=False), sentence)
            for of_sentence, sentence in zip(entities, metadata, strict=True)
        ]

    def _prolonging(self, type_: str) -> int:
        """The tag that prolongs an entity: BIOUL ends one by its own last tag, BIO by what follows not being its I."""
        return self._tag_ids.get(f"I-{type_}", -1) if self._coding_scheme == "BIO" else -1


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


ExtraOutput = Callable[[Dict[str, Any], List[Dict[str, Any]]], List[Any]]
"""From the outputs of a head and the metadata of B sentences to a list of B."""


class TagHead(torch.nn.Module, Registrable):
    """
    The upper end of a tagger: encoded words to loss, scores, tags and entities.

    Whether tags stand for entities, and in which coding scheme, the head reads from the vocabulary, where the reader
    has put it; see `TagField`. Tags without a coding scheme stand for themselves.

    A subclass finds the tags in `forward`, sets `distribution`, and hands `**kwargs` on to this constructor.

    # Parameters

    vocab : `Vocabulary`
    label_namespace : `str`, optional (default = `"labels"`)
    metrics_per_type : `bool`, optional (default = `False`)
        Whether to report precision, recall and F1 of each type of entity as well.
    positive_label : `str`, optional
        The tag whose precision, recall and F0.5 are reported, where tags stand for themselves: that of errors, say.
    concept_error_rate : `bool`, optional (default = `False`)
        Whether to report the error rate of entities, too, where tags stand for some; see `ConceptErrorRate`.
    sclite_weights : `bool`, optional (default = `False`)
        Whether that rate is of an alignment with the weights of the program sclite.
    temperature : `float`, optional (default = `1.0`)
        The `temperature` of the distribution, which `allennlp calibrate` fits.
    min_probability : `float`, optional (default = `0.0`)
        The probability below which entities are left out of predictions and scores; their words have the tag O.

    # Raises

    `ConfigurationError` where there are tags of two coding schemes, or of another one than `"BIO"` and `"BIOUL"`; where
    a tag does not fit the coding scheme; where the positive label is unknown; where a score is asked for that tags of
    this kind do not have; where the temperature is not positive; and for a `min_probability` where tags do not stand
    for entities.
    """

    default_implementation = "projection"

    losses: Tuple[str, ...] = ("loss",)
    """The outputs of `forward` that are losses, averaged over tokens."""

    distribution: TagDistribution
    """The distribution over tag sequences to which the probabilities of entities belong."""

    metric: Union[SpanF1, TagScores]

    def __init__(
        self,
        vocab: Vocabulary,
        label_namespace: str = "labels",
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
        self.coding_scheme = vocabulary_coding_scheme(vocab)
        self._tags: Dict[int, str] = vocab.get_index_to_token_vocabulary(label_namespace)
        self._tag_ids: Dict[str, int] = vocab.get_token_to_index_vocabulary(label_namespace)
        self.concept_error_rate = None
        if min_probability and (self.coding_scheme is None or "O" not in self._tag_ids):
            raise ConfigurationError(
                f"found min_probability {min_probability:g}, expected tags that stand for entities, or for none by O"
            )
        if self.coding_scheme is None:
            if concept_error_rate:
                raise ConfigurationError(
                    "found concept_error_rate and tags without a coding scheme, expected tags that stand for concepts"
                )
            self.metric = TagScores(vocab, label_namespace, positive_label)
            return
        if positive_label:
            raise ConfigurationError(
                f"found positive_label {positive_label!r} and the coding scheme {self.coding_scheme}, expected one of "
                "them: there is no F0.5 of tags that stand for entities"
            )
        self._entities = TaggedEntities(vocab, self.coding_scheme, label_namespace)
        self.metric = SpanF1(vocab, self.coding_scheme, label_namespace, metrics_per_type)
        if concept_error_rate:
            self.concept_error_rate = ConceptErrorRate(vocab, self.coding_scheme, label_namespace, sclite_weights)

    def forward(
        self,
        encoded: torch.Tensor,
        mask: torch.BoolTensor,
        tags: Optional[torch.Tensor] = None,
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

        `mask`; `losses` if gold tags are given; if `decode`, `tags` (B, T), the best ones, and `logits` (B, T, L).
        """
        raise NotImplementedError

    @property
    def extra_outputs(self) -> Dict[str, ExtraOutput]:
        """
        The outputs that predictions hold on request, by name; of all heads `sequence_entropy`, see
        `TagDistribution.entropy`, and `least_confidence`, one minus the probability of the tag sequence as decoded; and
        where tags stand for entities `gold_entities`, with the probability of each, of sentences with gold tags.
        """
        outputs: Dict[str, ExtraOutput] = {
            "sequence_entropy": self._entropies,
            "least_confidence": self._least_confidences,
        }
        return outputs if self.coding_scheme is None else {**outputs, "gold_entities": self._gold_entities}

    def score(self, tags: torch.Tensor, gold_tags: torch.Tensor, mask: torch.BoolTensor) -> None:
        """Counts the right ones of the predicted `tags` (B, T)."""
        self.metric(tags, gold_tags, mask)
        if self.concept_error_rate is not None:
            self.concept_error_rate(tags, gold_tags, mask)

    def kept_tags(self, outputs: Dict[str, Any]) -> torch.Tensor:
        """Returns the decoded tags (B, T) of `outputs` without the entities below `min_probability`."""
        tags: torch.Tensor = outputs["tags"]
        if not self.min_probability:
            return tags
        unlikely = self._entities.below(self.min_probability, self.distribution, outputs)
        return tags.masked_fill(unlikely, self._tag_ids["O"])

    def gold_tags(self, outputs: Dict[str, Any], metadata: List[Dict[str, Any]]) -> torch.Tensor:
        """
        Returns the gold tags (B, T) of the `metadata` of B sentences. Raises `ConfigurationError` where one has none.
        """
        if not all(sentence.get("gold_tags") for sentence in metadata):
            raise ConfigurationError(
                "found a sentence without gold tags, expected some: those of a file, as with --use-dataset-reader"
            )
        tags = torch.zeros_like(outputs["tags"])
        for row, sentence in zip(tags, metadata, strict=True):
            row[: len(sentence["words"])] = torch.tensor([self._tag_ids[name] for name in sentence["gold_tags"]])
        return tags

    def get_metrics(self, reset: bool = False) -> Dict[str, float]:
        """
        The scores of `SpanF1` or, where tags do not stand for entities, of `TagScores`; and of `ConceptErrorRate`, if
        asked for.
        """
        metrics = self.metric.get_metric(reset)
        if self.concept_error_rate is not None:
            metrics |= self.concept_error_rate.get_metric(reset)
        return metrics

    def make_output_human_readable(
        self, outputs: Dict[str, Any], metadata: List[Dict[str, Any]], extra_outputs: Sequence[str] = ()
    ) -> Dict[str, List[Any]]:
        """
        # Parameters

        outputs : `Dict[str, torch.Tensor]`
            `tags` (B, T), the `logits` (B, T, L) that they were found by, and `mask` (B, T).
        metadata : `List[Dict[str, Any]]`
            The `words` of each sentence, its `text`, and `offsets`, where the words start in the text.
        extra_outputs : `Sequence[str]`, optional
            Names; those that the property `extra_outputs` does not have are ignored.

        # Returns

        For each sentence `doc_id`, the id of its document, and `gold_tags`, where all have them, `words`, `tags` and,
        where tags stand for entities, `entities`: dictionaries of `start` and `end` in words, `label`, `text`,
        `start_char`, `end_char`, and `probability`, that of just this entity; and the extra outputs.
        """
        tags = self.kept_tags(outputs)
        readable: Dict[str, List[Any]] = {
            name: [sentence[key] for sentence in metadata]
            for name, key in (("doc_id", "document_id"), ("gold_tags", "gold_tags"))
            if all(sentence.get(key) is not None for sentence in metadata)
        }
        readable |= {
            "words": [sentence["words"] for sentence in metadata],
            "tags": self.tag_names(tags, metadata),
        }
        if self.coding_scheme is not None:
            readable["entities"] = self._entities.described(
                self.distribution, outputs, tags, readable["tags"], metadata
            )
        for name, describe in self.extra_outputs.items():
            if name in extra_outputs:
                readable[name] = describe(outputs, metadata)
        return readable

    def tag_names(self, tags: torch.Tensor, metadata: List[Dict[str, Any]]) -> List[List[str]]:
        """The names of `tags` (B, T), of each sentence as many as it has words."""
        return [
            [self._tags[tag] for tag in row[: len(sentence["words"])]]
            for row, sentence in zip(tags.tolist(), metadata, strict=True)
        ]

    def _entropies(self, outputs: Dict[str, Any], metadata: List[Dict[str, Any]]) -> List[float]:
        return self.distribution.entropy(outputs["logits"], outputs["mask"]).tolist()

    def _least_confidences(self, outputs: Dict[str, Any], metadata: List[Dict[str, Any]]) -> List[float]:
        best = self.distribution.best_probability(outputs["logits"], outputs["mask"], outputs["tags"])
        return (1 - best).tolist()

    def _gold_entities(self, outputs: Dict[str, Any], metadata: List[Dict[str, Any]]) -> List[List[Dict[str, Any]]]:
        tags = self.gold_tags(outputs, metadata)
        names = [sentence["gold_tags"] for sentence in metadata]
        return self._entities.described(self.distribution, outputs, tags, names, metadata)
