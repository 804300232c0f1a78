from typing import Dict

import torch
from allennlp.training.metrics import Metric

from nerzoo.text.matching import precision_recall_f
from nerzoo.training.metrics.counting_metric import CountingMetric

TASKS = ("link", "act", "joint")

POST_DEPTHS = ("[1,2]", "[3,4]", "[5,6]", "[7,)")
"""Ranges of the positions of posts, counted from 1, as in figures 3 and 4 of Liu et al. (2017)."""


@Metric.register("thread_scores")
class ThreadScores(CountingMetric):
    """
    Computes micro-averaged precision, recall and F1 over the posts of threads. A post may have several gold links; one
    link and one dialogue act are predicted for it. For each post

    - the link is correct if a gold link has the same target; the gold items are all its targets, the head included;
    - the act is correct if a gold link has it; the gold items are its different acts;
    - both are correct jointly if one gold link has that target and that act; the gold items are all its links.

    Where every post has one gold link, precision and recall are the accuracy. The thread accuracy is the share of
    threads whose posts are all correct.

    # Parameters

    by_depth : `bool`, optional (default = `False`)
        Whether to report posts by their depth, their position in the thread, as well: "link_precision-[1,2]" and so on,
        in the ranges `POST_DEPTHS`.
    """

    def __init__(self, by_depth: bool = False) -> None:
        # The numbers of correct, predicted and gold items: of posts by depth, and last of whole threads.
        super().__init__(len(TASKS), 3, len(POST_DEPTHS) + 1)
        self._by_depth = by_depth

    def count(
        self,
        slots: torch.Tensor,
        acts: torch.Tensor,
        gold_slots: torch.Tensor,
        gold_acts: torch.Tensor,
        mask: torch.BoolTensor,
    ) -> torch.Tensor:
        """
        Counts the posts of a batch that the mask has, given the predicted target and act of each post, (B, T), and the
        target and the act of each gold link, (B, T, G), as in `LinkField`. The targets of a post differ.
        """
        # shape: (B, T, G)
        is_link = (gold_acts >= 0) & mask.unsqueeze(2)
        same_target = is_link & (gold_slots == slots.unsqueeze(2))
        same_act = is_link & (gold_acts == acts.unsqueeze(2))
        # An act that an earlier link of the post has counts once.
        repeated = (gold_acts.unsqueeze(3) == gold_acts.unsqueeze(2)).tril(-1).any(3)

        # shape: (3 tasks, B, T) each
        correct = torch.stack([same_target.any(2), same_act.any(2), (same_target & same_act).any(2)])
        gold = torch.stack([is_link, is_link & ~repeated, is_link]).sum(3)
        # shape: (3 tasks, 3 counts, B * T)
        counts = torch.stack([correct.long(), mask.expand_as(correct).long(), gold], 1).flatten(2)

        # A context has no depth.
        depths = ((mask.cumsum(1) - 1).clamp(min=0) // 2).clamp(max=len(POST_DEPTHS) - 1)
        by_depth = counts.new_zeros(len(TASKS), 3, len(POST_DEPTHS)).index_add(2, depths.flatten(), counts)

        # shape: (B,) and (3 tasks, B)
        is_thread = mask.any(1)
        all_correct = (correct | ~mask).all(2) & is_thread
        # shape: (3 tasks, 3 counts, 1)
        num_threads = is_thread.sum().expand(len(TASKS))
        threads = torch.stack([all_correct.sum(1), num_threads, num_threads], 1).unsqueeze(2)
        return torch.cat([by_depth, threads], 2)

    def scores(self, counts: torch.Tensor) -> Dict[str, float]:
        """Returns "link_precision", "link_recall", "link_f1" and "link_thread_accuracy", and so on for all `TASKS`."""
        metrics: Dict[str, float] = {}
        for task, task_counts in zip(TASKS, counts, strict=True):
            post_counts, (correct, num_threads, _) = task_counts[:, :-1], task_counts[:, -1].tolist()
            metrics |= precision_recall_f(*post_counts.sum(1).tolist(), prefix=f"{task}_")
            metrics[f"{task}_thread_accuracy"] = correct / max(num_threads, 1)
            if self._by_depth:
                for depth, depth_counts in zip(POST_DEPTHS, post_counts.t().tolist(), strict=True):
                    metrics |= precision_recall_f(*depth_counts, prefix=f"{task}_", suffix=f"-{depth}")
        return metrics
