from typing import Any, Dict, List, Optional

import torch
from allennlp.common.checks import ConfigurationError, check_dimensions_match
from allennlp.data import Vocabulary
from allennlp.modules import FeedForward
from allennlp.modules.conditional_random_field.conditional_random_field import allowed_transitions

from nerzoo.data.corpora import Entity
from nerzoo.data.described_entities import described_entities
from nerzoo.data.tag_schemes import tags_to_entities
from nerzoo.modules.tag_decoder import TagDecoder
from nerzoo.training.metrics import SpanF1, TagScores


class TaggingHead(torch.nn.Module):
    """
    The upper end of every tagger: encoded words to tags, loss, scores and entities.

    # Parameters

    vocab : `Vocabulary`
    input_size : `int`
        H, the size of the encoded words.
    decoder : `str`, optional (default = `"crf"`)
        `"crf"`: tags depend on their neighbours; `"softmax"`: they do not.
    label_encoding : `str`, optional
        `"BIO"` or `"BIOUL"`: tags stand for entities, which are what is scored, and a CRF decodes well-formed sequences
        only. Without it tags stand for themselves.
    metrics_per_type : `bool`, optional (default = `False`)
        Whether to report precision, recall and F1 of each type of entity as well.
    label_namespace : `str`, optional (default = `"labels"`)
    feedforward : `FeedForward`, optional
        Hidden layers between the encoded words and the scores of tags.
    main_label : `str`, optional
        Where tags stand for themselves, the one whose precision, recall and F0.5 are reported.

    # Raises

    `ConfigurationError` where the decoder, the label encoding or the main label is unknown, or sizes do not fit.
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
        main_label: Optional[str] = None,
    ) -> None:
        super().__init__()
        if label_encoding and main_label:
            raise ConfigurationError(
                f"found main_label {main_label!r} with label_encoding {label_encoding}, expected one of them: there is "
                "no F0.5 of tags that stand for entities"
            )
        if label_encoding not in (None, "BIO", "BIOUL"):
            raise ConfigurationError(f"label_encoding must be BIO or BIOUL, found {label_encoding!r}")
        if decoder not in TagDecoder.list_available():
            raise ConfigurationError(f"decoder must be one of {TagDecoder.list_available()}, found {decoder!r}")
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
        if feedforward is not None:
            check_dimensions_match(
                feedforward.get_input_dim(), input_size, "input of feedforward", "size of the encoded words"
            )
            input_size = feedforward.get_output_dim()
        self.feedforward = feedforward
        self.tag_projection = torch.nn.Linear(input_size, len(self._tags))
        constraints = allowed_transitions(label_encoding, self._tags) if label_encoding else None
        self.decoder = TagDecoder.by_name(decoder)(len(self._tags), constraints)
        if label_encoding:
            self.metric = SpanF1(vocab, label_encoding, label_namespace, metrics_per_type)
        else:
            self.metric = TagScores(vocab, label_namespace, main_label)

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
                self.metric(outputs["tags"], tags, mask)
        return outputs

    def get_metrics(self, reset: bool = False) -> Dict[str, float]:
        """What `SpanF1` reports or, where tags do not stand for entities, `TagScores`."""
        return self.metric.get_metric(reset)

    def make_output_human_readable(
        self, outputs: Dict[str, torch.Tensor], metadata: List[Dict[str, Any]]
    ) -> Dict[str, List[Any]]:
        """
        # Parameters

        outputs : `Dict[str, torch.Tensor]`
            What `forward` gave.
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
            described_entities(zip(sentence_entities, probabilities, strict=False), sentence)
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
