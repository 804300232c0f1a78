"""Scores of predictions as ratios of sums over sentences, as `nerzoo.evaluation.significance` takes them."""

from operator import eq
from typing import List, Optional, Sequence, Set, Tuple

import numpy

from nerzoo.training.metrics.concept_error_rate import concept_errors

Links = Sequence[Tuple[Optional[str], str]]
"""The targets of a post, the id of another post or `None` for the head, each with its act."""

METRICS = {
    "f1": "entities",
    "accuracy": "tags",
    "cer": "entities",
    "link_f1": "links",
    "act_f1": "links",
    "joint_f1": "links",
}
"""The kind of annotation that each metric scores."""


def sentence_counts(
    metric: str, predicted: List[Sequence], gold: List[Sequence], sclite_weights: bool = False
) -> numpy.ndarray:
    """
    Returns two numbers for each sentence, such that the sum of the first over all sentences of a file, divided by the
    sum of the second, is the score of the file.

    # Parameters

    metric : `str`
        `"f1"`: of entities; `"accuracy"`: of tags; `"cer"`: the concept error rate, of the types of entities in order;
        `"link_f1"`, `"act_f1"`, `"joint_f1"`: of links of posts, as in `ThreadScores`.
    predicted, gold : `List[Sequence]`
        The entities or tags of each of N sentences, or the links of the posts of each of N threads.
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
    if METRICS[metric] == "links":
        return numpy.array([_thread_counts(metric, links, truth) for links, truth in pairs])
    return numpy.array([(2 * len({*entities} & {*truth}), len(entities) + len(truth)) for entities, truth in pairs])


def _thread_counts(metric: str, predicted: Sequence[Links], gold: Sequence[Links]) -> Tuple[int, int]:
    def items(links: Links) -> Set[object]:
        if metric == "joint_f1":
            return {*links}
        return {to if metric == "link_f1" else act for to, act in links}

    pairs = [(items(links), items(truth)) for links, truth in zip(predicted, gold, strict=True)]
    return sum(2 * len(found & truth) for found, truth in pairs), sum(len(found) + len(truth) for found, truth in pairs)
