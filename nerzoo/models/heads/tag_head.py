from typing import Any, Dict, List, Optional

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary

from nerzoo.data.annotation import Entity
from nerzoo.data.corpora import entities_to_json
from nerzoo.data.tag_schemes import tags_to_entities
from nerzoo.modules.tag_distributions.tag_distribution import TagDistribution
from nerzoo.training.metrics import ConceptErrorRate, SpanF1, TagScores


class TagHead(torch.nn.Module):
    """
    What every tagger does with tags once it has found them: scores and entities. A subclass finds them, and sets
    `decoder`.

    # Parameters

    vocab : `Vocabulary`
    label_encoding : `str`, optional
        `"BIO"` or `"BIOUL"`: tags stand for entities, which are what is scored. Without it tags stand for themselves.
    metrics_per_type : `bool`, optional (default = `False`)
        Whether to report precision, recall and F1 of each type of entity as well.
    label_namespace : `str`, optional (default = `"labels"`)
    positive_label : `str`, optional
        Where tags stand for themselves, the one whose precision, recall and F0.5 are reported.
    concept_error_rate : `bool`, optional (default = `False`)
        Where tags stand for entities, whether to report their error rate, too; see `ConceptErrorRate`.

    # Raises

    `ConfigurationError` where the label encoding or the main label is unknown, or a score is asked for that tags of
    this kind do not have.
    """

    decoder: TagDistribution
    """The distribution over tag sequences that the probabilities of entities are of."""

    def __init__(
        self,
        vocab: Vocabulary,
        label_encoding: Optional[str] = None,
        metrics_per_type: bool = False,
        label_namespace: str = "labels",
        positive_label: Optional[str] = None,
        concept_error_rate: bool = False,
    ) -> None:
        super().__init__()
        if label_encoding and positive_label:
            raise ConfigurationError(
                f"found positive_label {positive_label!r} with label_encoding {label_encoding}, expected one of them: "
                "there is no F0.5 of tags that stand for entities"
            )
        if label_encoding not in (None, "BIO", "BIOUL"):
            raise ConfigurationError(f"label_encoding must be BIO or BIOUL, found {label_encoding!r}")
        if concept_error_rate and not label_encoding:
            raise ConfigurationError(
                "found concept_error_rate without label_encoding, expected both: tags that stand for themselves make "
                "no concepts"
            )
        self._label_encoding = label_encoding
        self._tags: Dict[int, str] = vocab.get_index_to_token_vocabulary(label_namespace)
        self._tag_ids: Dict[str, int] = vocab.get_token_to_index_vocabulary(label_namespace)
        for tag in self._tag_ids:
            # BIO's tags are all BIOUL's, but none of them ends an entity there.
            if label_encoding == "BIOUL" and tag.startswith("B-") and f"L-{tag[2:]}" not in self._tag_ids:
                raise ConfigurationError(
                    f"label_encoding is BIOUL, but there is a tag {tag} and no L-{tag[2:]}; expected the reader's "
                    "coding_scheme to be the same"
                )
        self.metric = TagScores(vocab, label_namespace, positive_label)
        if label_encoding:
            self.metric = SpanF1(vocab, label_encoding, label_namespace, metrics_per_type)
        self.concept_error_rate = None
        if concept_error_rate:
            self.concept_error_rate = ConceptErrorRate(vocab, label_encoding, label_namespace)

    def score(self, tags: torch.LongTensor, gold_tags: torch.LongTensor, mask: torch.BoolTensor) -> None:
        """Counts what is right in `tags` (B, T)."""
        self.metric(tags, gold_tags, mask)
        if self.concept_error_rate is not None:
            self.concept_error_rate(tags, gold_tags, mask)

    def get_metrics(self, reset: bool = False) -> Dict[str, float]:
        """
        What `SpanF1` reports or, where tags do not stand for entities, `TagScores`; and `ConceptErrorRate`, if asked
        for.
        """
        metrics = self.metric.get_metric(reset)
        if self.concept_error_rate is not None:
            metrics |= self.concept_error_rate.get_metric(reset)
        return metrics

    def make_output_human_readable(
        self, outputs: Dict[str, torch.Tensor], metadata: List[Dict[str, Any]]
    ) -> Dict[str, List[Any]]:
        """
        # Parameters

        outputs : `Dict[str, torch.Tensor]`
            `tags` (B, T), the `logits` (B, T, L) that the decoder found them by, and `mask` (B, T).
        metadata : `List[Dict[str, Any]]`
            Of each sentence `words`, `text`, and `offsets`, where the words start in the text.

        # Returns

        Of each sentence `doc_id`, the id of its document, and `gold_tags`, where all have them, `words`, `tags` and,
        where tags stand for entities, `entities`: dictionaries of `start` and `end` in words, `label`, `text`,
        `start_char`, `end_char`, and `probability`, that of just this entity.
        """
        readable: Dict[str, List[Any]] = {
            name: [sentence[key] for sentence in metadata]
            for name, key in (("doc_id", "document_id"), ("gold_tags", "gold_tags"))
            if all(sentence.get(key) is not None for sentence in metadata)
        }
        readable |= {
            "words": [sentence["words"] for sentence in metadata],
            "tags": [
                [self._tags[tag] for tag in row[: len(sentence["words"])]]
                for row, sentence in zip(outputs["tags"].tolist(), metadata, strict=True)
            ],
        }
        if self._label_encoding:
            readable["entities"] = self._entities(outputs, readable["tags"], metadata)
        return readable

    def _entities(
        self, outputs: Dict[str, torch.Tensor], tags: List[List[str]], metadata: List[Dict[str, Any]]
    ) -> List[List[Dict[str, Any]]]:
        entities = [tags_to_entities(sentence_tags, self._label_encoding) for sentence_tags in tags]
        probabilities = iter(self._probabilities(outputs, entities))
        return [
            entities_to_json(zip(sentence_entities, probabilities, strict=False), sentence)
            for sentence_entities, sentence in zip(entities, metadata, strict=True)
        ]

    def _probabilities(self, outputs: Dict[str, torch.Tensor], entities: List[List[Entity]]) -> List[float]:
        placed = [(row, entity) for row, of_sentence in enumerate(entities) for entity in of_sentence]
        spans = [(row, entity.start, entity.end) for row, entity in placed]
        # BIOUL ends an entity by its own last tag, BIO by what follows not being its I.
        prolongs = [
            self._tag_ids.get(f"I-{entity.label}", -1) if self._label_encoding == "BIO" else -1 for _, entity in placed
        ]
        logits = outputs["logits"]
        return self.decoder.entity_probabilities(
            logits,
            outputs["mask"],
            outputs["tags"],
            torch.tensor(spans, dtype=torch.long, device=logits.device).view(-1, 3),
            torch.tensor(prolongs, dtype=torch.long, device=logits.device),
        ).tolist()
