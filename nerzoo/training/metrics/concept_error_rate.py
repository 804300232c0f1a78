from typing import Any, Dict, Hashable, List, Sequence

import numpy
import torch
from allennlp.data import Vocabulary
from allennlp.training.metrics import Metric
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from nerzoo.training.metrics.counting_metric import TagMetric
from nerzoo.training.metrics.span_f1 import SpanFinder

# The cost of an error exceeds the number of concepts of any sentence; a substitution costs one more, or, with the
# weights of sclite, every error does.
_ERROR = 2**20
_WEIGHTS = (_ERROR, _ERROR, _ERROR + 1)
_SCLITE_WEIGHTS = (3 * _ERROR + 1, 3 * _ERROR + 1, 4 * _ERROR + 1)


@Metric.register("concept_error_rate")
@TagMetric.register("concept_error_rate")
class ConceptErrorRate(TagMetric):
    """
    Computes the concept error rate of spoken language understanding: the number of insertions, deletions and
    substitutions of concepts, see `concept_errors`, over the number of gold concepts. Concepts are the types of a
    sentence's spans in order, see `SpanFinder`; where spans start and end does not count. The rate is above 1 where
    there are more errors than gold concepts.

    # Parameters

    vocabulary, coding_scheme, tag_namespace
        As in `SpanFinder`, with the errors that it raises.
    sclite_weights : `bool`, optional (default = `False`)
        Whether alignments have the weights of the program sclite, see `concept_errors`.
    """

    def __init__(
        self, vocabulary: Vocabulary, coding_scheme: str, tag_namespace: str = "labels", sclite_weights: bool = False
    ) -> None:
        self._sclite_weights = sclite_weights
        self._find_spans = SpanFinder(vocabulary, coding_scheme, tag_namespace)
        # Insertions, deletions, substitutions, gold concepts.
        super().__init__(4)

    def count(self, predictions: torch.Tensor, gold_labels: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        # shape: (2, B, T), predictions first
        tags = torch.stack([predictions, gold_labels])
        types, starts, _ = self._find_spans(tags, mask)
        # shape: (2 * B, T), the type of the concept that starts at a word, or 0
        concepts = (types * starts).flatten(0, 1).cpu().numpy()
        sentences: List[Any] = [row[row > 0] for row in concepts]
        errors = concept_errors(sentences[: len(mask)], sentences[len(mask) :], self._sclite_weights)
        return torch.from_numpy(errors.sum(1))

    def scores(self, counts: torch.Tensor) -> Dict[str, float]:
        """
        Returns "cer", the concept error rate, and its parts "insertion_rate", "deletion_rate" and "substitution_rate".
        Without any gold concept, they are the numbers of errors.
        """
        *errors, num_gold = counts.tolist()
        insertions, deletions, substitutions = (count / max(num_gold, 1) for count in errors)
        return {
            "cer": sum(errors) / max(num_gold, 1),
            "insertion_rate": insertions,
            "deletion_rate": deletions,
            "substitution_rate": substitutions,
        }


def concept_errors(
    predicted: Sequence[Sequence[Hashable]], gold: Sequence[Sequence[Hashable]], sclite_weights: bool = False
) -> numpy.ndarray:
    """
    Counts the errors in a Levenshtein alignment of the predicted and the gold concepts of each of N sentences: one of
    the alignments with the fewest errors, and among these the most correct concepts. With the weights of sclite it is
    an alignment that costs least, where a substitution costs 4 and an insertion or a deletion 3, and among these one
    with the fewest errors. Returns the numbers of insertions (predicted concepts without a gold one), deletions (gold
    ones without a predicted one), substitutions, and gold concepts of each sentence, (4, N).
    """
    costs = cpdist(
        gold,
        predicted,
        scorer=Levenshtein.distance,
        scorer_kwargs={"weights": _SCLITE_WEIGHTS if sclite_weights else _WEIGHTS},
        dtype=numpy.int64,
    )
    if sclite_weights:
        weighted, errors = numpy.divmod(costs, _ERROR)
        substitutions = weighted - 3 * errors
    else:
        errors, substitutions = numpy.divmod(costs, _ERROR)
    num_predicted, num_gold = (numpy.fromiter(map(len, concepts), numpy.int64) for concepts in (predicted, gold))
    # The number of insertions less the number of deletions.
    surplus = num_predicted - num_gold
    insertions = (errors - substitutions + surplus) // 2
    return numpy.stack([insertions, insertions - surplus, substitutions, num_gold])
