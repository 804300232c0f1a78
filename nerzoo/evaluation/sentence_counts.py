"""Scores of predictions as ratios of sums over sentences, as `nerzoo.evaluation.significance` takes them."""

from operator import eq
from typing import List, Sequence

import numpy

from nerzoo.training.metrics.concept_error_rate import concept_errors

METRICS = {"f1": "entities", "accuracy": "tags", "cer": "entities"}
"""The kind of annotation that each metric scores."""


def sentence_counts(
    metric: str, predicted: List[Sequence], gold: List[Sequence], sclite_weights: bool = False
) -> numpy.ndarray:
    """
    Returns two numbers for each sentence, such that the sum of the first over all sentences of a file, divided by the
    sum of the second, is the score of the file.

    # Parameters

    metric : `str`
        `"f1"`: of entities; `"accuracy"`: of tags; `"cer"`: the concept error rate, of the types of entities in order.
    predicted, gold : `List[Sequence]`
        The entities or tags of each of N sentences.
    sclite_weights : `bool`, optional (default = `False`)
        Whether the errors of `"cer"` are those of an alignment with the weights of sclite, see `concept_errors`.

    # Returns

    `numpy.ndarray`, (N, 2)
    """
    if metric == "cer":
        found, annotated = ([[entity.label for entity in entities] for entities in side] for side in (predicted, gold))
        *errors, num_gold = concept_errors(found, annotated, sclite_weights)
        return numpy.stack([sum(errors), num_gold], axis=1)
    pairs = zip(predicted, gold, strict=True)
    if metric == "accuracy":
        return numpy.array([(sum(map(eq, tags, truth)), len(truth)) for tags, truth in pairs])
    return numpy.array([(2 * len({*entities} & {*truth}), len(entities) + len(truth)) for entities, truth in pairs])
