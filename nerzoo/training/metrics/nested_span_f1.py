from typing import Dict, List, Sequence, Tuple

import torch
from allennlp.data import Vocabulary
from allennlp.training.metrics import Metric

from nerzoo.text.annotation import Entity
from nerzoo.text.matching import DEPTHS, MatchCounter, depth_group, precision_recall_f, span_depths
from nerzoo.training.metrics.counting_metric import UNKNOWN_TYPES, CountingMetric


@Metric.register("nested_span_f1")
class NestedSpanF1(CountingMetric):
    """
    Computes precision, recall and F1 of entities that may be nested, micro-averaged over all sentences. The entities of
    a sentence are a set; a predicted entity is correct if a gold entity has the same start, end and type.

    The depth of an entity is the number of spans in its set that strictly contain it: among gold entities for recall,
    among predicted ones for precision. Thus a flat model has predictions at depth 0 only, and some recall elsewhere.

    # Parameters

    label_namespace : `str`, optional (default = `"labels"`)
        The namespace of the types of entities.
    per_type : `bool`, optional (default = `False`)
        Whether to report each type X of the vocabulary as well: "precision-X", "recall-X" and "f1-X".
    per_depth : `bool`, optional (default = `False`)
        Whether to report each D of `DEPTHS` as well: "precision-depth-D", "recall-depth-D" and "f1-depth-D".
    """

    def __init__(
        self, vocabulary: Vocabulary, label_namespace: str = "labels", per_type: bool = False, per_depth: bool = False
    ) -> None:
        self._types = vocabulary.get_token_to_index_vocabulary(label_namespace)
        self._per_type = per_type
        self._per_depth = per_depth
        # The numbers of `MatchCounts`: a correct entity may have another depth among predicted than among gold ones.
        super().__init__(4, len(self._types) + 1, len(DEPTHS))

    def count(self, predictions: Sequence[Sequence[tuple]], gold_entities: Sequence[Sequence[tuple]]) -> torch.Tensor:
        """
        Counts the predicted and all gold entities of each sentence: tuples that begin with start, end and type, as
        `Entity` and `ScoredEntity` do. Types that the vocabulary does not have count as one further type.
        """
        counter = MatchCounter()
        for sentence in zip(predictions, gold_entities, strict=True):
            predicted, gold = ({Entity(*entity[:3]) for entity in entities} for entities in sentence)
            counter.add(predicted, gold, self._type_and_depth)
        counts = torch.zeros(4, len(self._types) + 1, len(DEPTHS), dtype=torch.long)
        for (type_, depth), cell in counter.counts.items():
            counts[:, type_, depth] = torch.tensor([*vars(cell).values()])
        return counts

    def by_type(self, counts: torch.Tensor) -> Dict[str, List[int]]:
        # Without the depth, as many gold entities are found as predicted ones are correct.
        return dict(
            zip(
                [*sorted(self._types, key=self._types.__getitem__), UNKNOWN_TYPES],
                counts[:3].sum(2).t().tolist(),
                strict=True,
            )
        )

    def scores(self, counts: torch.Tensor) -> Dict[str, float]:
        metrics = precision_recall_f(*counts.sum((1, 2)).tolist())
        if self._per_type:
            by_type = self.by_type(counts)
            for type_ in self._types:
                metrics |= precision_recall_f(*by_type[type_], suffix=f"-{type_}")
        if self._per_depth:
            for depth, depth_counts in zip(DEPTHS, counts.sum(1).t().tolist(), strict=True):
                metrics |= precision_recall_f(*depth_counts, suffix=f"-depth-{depth}")
        return metrics

    def _type_and_depth(self, entity: Entity, depth: int) -> Tuple[int, int]:
        return self._types.get(entity.label, len(self._types)), depth_group(depth)


@Metric.register("unreachable_entities")
class UnreachableEntities(CountingMetric):
    """
    Counts the gold entities that a `fofe_ner` model cannot find, though recall counts them: "entities_too_long", with
    more than `max_length` tokens; "entities_same_span", with the span of another one and another type; and
    "entities_too_deep", inside `num_levels` spans or more.
    """

    def __init__(self, max_length: int, num_levels: int) -> None:
        self._max_length = max_length
        self._num_levels = num_levels
        super().__init__(3)

    def count(self, gold_entities: Sequence[Sequence[Entity]]) -> torch.Tensor:
        counts = torch.zeros(3, dtype=torch.long)
        for entities in gold_entities:
            counts[0] += sum(end - start > self._max_length for start, end, _ in entities)
            depths = span_depths(entities)
            counts[1] += len(entities) - len(depths)
            counts[2] += sum(depths[start, end] >= self._num_levels for start, end, _ in entities)
        return counts

    def scores(self, counts: torch.Tensor) -> Dict[str, float]:
        names = ("entities_too_long", "entities_same_span", "entities_too_deep")
        return dict(zip(names, counts.tolist(), strict=True))
