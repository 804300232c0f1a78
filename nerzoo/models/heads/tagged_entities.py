from typing import Any, Dict, List, Tuple

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary

from nerzoo.data.tag_schemes import tags_to_entities
from nerzoo.modules.tag_distributions.tag_distribution import TagDistribution
from nerzoo.runtime.running_text import entities_to_json
from nerzoo.training.metrics.span_finder import SpanFinder


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
