"""
The trivial baseline for threads: each post replies to the one before it, and the first one to the head.

    python -m experiments.previous_post THREADS.jsonl [--folds 10] [--seed 13370]
    python -m experiments.previous_post TRAIN.jsonl --test TEST.jsonl

The dialogue act of links to the head is the most frequent one of such links in the training data, and that of the
others likewise. The folds are those of `allennlp cross-validate` with the same options, for a configuration without
validation. Posts of a context are not scored, but the first post after them replies to the last of them.
"""

import statistics
from collections import Counter
from typing import Dict, List, cast

import torch
from allennlp.data import Batch, Instance, Vocabulary

from experiments.common import argument_parser
from nerzoo.data.dataset_readers.reply_threads import ReplyThreadsReader
from nerzoo.data.fields import LinkField
from nerzoo.runs.folds import divide, document_names, instances_by_document
from nerzoo.training.metrics.thread_scores import ThreadScores


def score(train: List[Instance], test: List[Instance], batch_size: int = 64) -> Dict[str, float]:
    """The scores of the baseline by `ThreadScores`, by depth as well."""
    head_acts: Counter[str] = Counter()
    other_acts: Counter[str] = Counter()
    for instance in train:
        for links in cast(LinkField, instance["links"]).links:
            for slot, act in links:
                (other_acts if slot else head_acts)[act] += 1
    # A file of threads of one post has heads alone.
    frequent = [counter.most_common(1)[0][0] for counter in (head_acts, other_acts or head_acts)]
    instances = [Instance({"links": instance["links"]}) for instance in test]
    vocab = Vocabulary.from_instances([Instance({"links": instance["links"]}) for instance in train] + instances)
    head_act, other_act = (vocab.get_token_index(act, "labels") for act in frequent)
    metric = ThreadScores(by_depth=True)
    for start in range(0, len(instances), batch_size):
        batch = Batch(instances[start : start + batch_size])
        batch.index_instances(vocab)
        gold = cast(Dict[str, torch.Tensor], batch.as_tensor_dict()["links"])
        mask = cast(torch.BoolTensor, gold["acts"][..., 0] >= 0)
        # Slot i is the i-th post, counted from 1, and 0 the head: the position is the slot of the post before.
        slots = torch.arange(mask.shape[1]).expand_as(mask)
        acts = torch.where(slots == 0, head_act, other_act)
        metric(slots, acts, gold["slots"], gold["acts"], mask)
    return metric.get_metric()


def cross_validate(path: str, num_folds: int, seed: int) -> List[Dict[str, float]]:
    """The scores of each fold."""
    reader = ReplyThreadsReader()
    folds = divide(document_names(reader, [path]), num_folds, seed)
    threads = list(instances_by_document(reader, [path]))
    return [
        score(
            [instance for name, instance in threads if name not in fold],
            [instance for name, instance in threads if name in fold],
        )
        for fold in map(frozenset, folds)
    ]


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("threads", help="threads with links, one a line")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=13370)
    parser.add_argument("--test", help="threads to score, in place of folds")
    args = parser.parse_args()
    if args.test:
        train, test = (list(ReplyThreadsReader().read(path)) for path in (args.threads, args.test))
        scores = [score(train, test)]
    else:
        scores = cross_validate(args.threads, args.folds, args.seed)
    for name in scores[0]:
        values = [100 * part[name] for part in scores]
        deviation = "" if args.test else f" +- {statistics.stdev(values):.2f}"
        print(f"{name:<24} {statistics.mean(values):6.2f}{deviation}")


if __name__ == "__main__":
    main()
