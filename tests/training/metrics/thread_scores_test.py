import random

import pytest
import torch
from allennlp.training.metrics import Metric
from helpers.processes import run_in_two_processes

from nerzoo.training.metrics.thread_scores import POST_DEPTHS, ThreadScores

RANGES = dict(zip(POST_DEPTHS, [(1, 2), (3, 4), (5, 6), (7, 99)], strict=True))


def random_threads(seed, count=19):
    """Of each post the predicted link and act and the gold ones, up to three. Short threads may be right by chance."""
    generator = random.Random(seed)
    threads = []
    for _ in range(count):
        thread = []
        for position in range(generator.choice([1, 2, 3, 11])):
            targets = generator.sample(range(position + 1), min(position + 1, generator.choice([1, 1, 2, 3])))
            gold = [(target, generator.randrange(3)) for target in targets]
            thread.append((generator.randint(0, position), generator.randrange(3), gold))
        threads.append(thread)
    return threads


def tensors(threads, num_links=4):
    length = max(map(len, threads)) + 1
    mask = torch.zeros(len(threads), length).bool()
    slots, acts = torch.full((2, len(threads), length), 1)
    gold = torch.full((2, len(threads), length, num_links), -1)
    for row, thread in enumerate(threads):
        for position, (slot, act, links) in enumerate(thread):
            mask[row, position], slots[row, position], acts[row, position] = True, slot, act
            gold[:, row, position, : len(links)] = torch.tensor(links).t()
    # What stands at padding is of no account.
    gold[:, ~mask] = 1
    return slots, acts, *gold, mask


def scores(threads):
    """As sets of what is predicted and what is gold."""
    metrics = {}
    for suffix, (first, last) in {"": (1, 99), **{f"-{depth}": bounds for depth, bounds in RANGES.items()}}.items():
        predicted, gold = set(), set()
        for number, thread in enumerate(threads):
            for position, (slot, act, links) in enumerate(thread, start=1):
                if first <= position <= last:
                    place = number, position
                    predicted |= {("link", *place, slot), ("act", *place, act), ("joint", *place, slot, act)}
                    for target, gold_act in links:
                        gold |= {("link", *place, target), ("act", *place, gold_act)}
                        gold.add(("joint", *place, target, gold_act))
        for task in ("link", "act", "joint"):
            of_task = [{element for element in elements if element[0] == task} for elements in (predicted, gold)]
            correct = len(of_task[0] & of_task[1])
            precision, recall = (correct / len(elements) if elements else 0 for elements in of_task)
            f1 = 2 * precision * recall / (precision + recall) if correct else 0
            metrics.update(
                {f"{task}_precision{suffix}": precision, f"{task}_recall{suffix}": recall, f"{task}_f1{suffix}": f1}
            )
    for number, task in enumerate(("link", "act", "joint")):
        right = 0
        for thread in threads:
            per_post = [
                (slot in dict(links), act in [gold for _, gold in links], (slot, act) in links)[number]
                for slot, act, links in thread
            ]
            right += all(per_post)
        metrics[f"{task}_thread_accuracy"] = right / len(threads)
    return metrics


@pytest.mark.parametrize("seed", range(5))
def test_agrees_with_sets_over_several_batches(seed):
    threads = random_threads(seed)
    metric = ThreadScores(by_depth=True)
    metric(*tensors(threads[:4]))
    metric(*tensors(threads[4:]))
    expected = scores(threads)
    assert metric.get_metric(reset=True) == pytest.approx(expected, abs=1e-12)
    assert set(metric.get_metric().values()) == {0}
    metric = ThreadScores()
    metric(*tensors(threads))
    assert metric.get_metric() == pytest.approx({name: expected[name] for name in expected if "-" not in name})


def test_an_example_by_hand():
    # The second post has two links with the same act, the third one two acts for the head and the first post.
    threads = [[(0, 0, [(0, 0)]), (1, 1, [(1, 1), (0, 1)]), (1, 2, [(0, 2), (1, 0)])]]
    metric = Metric.by_name("thread_scores")()
    metric(*tensors(threads))
    assert metric.get_metric() == pytest.approx(
        {
            "link_precision": 1,
            "link_recall": 3 / 5,
            "link_f1": 6 / 8,
            "act_precision": 1,
            "act_recall": 3 / 4,
            "act_f1": 6 / 7,
            "joint_precision": 2 / 3,
            "joint_recall": 2 / 5,
            "joint_f1": 4 / 8,
            "link_thread_accuracy": 1,
            "act_thread_accuracy": 1,
            "joint_thread_accuracy": 0,
        }
    )


def test_nothing_but_padding_scores_zero():
    metric = ThreadScores()
    metric(*(tensor[:, :1] for tensor in tensors([[(0, 0, [(0, 0)])]])[:4]), torch.zeros(1, 1).bool())
    assert set(metric.get_metric().values()) == {0}


def count_on_worker(global_rank, world_size, gpu_id, threads, expected):
    metric = ThreadScores(by_depth=True)
    for _ in range(2):
        metric(*tensors(threads[global_rank::world_size]))
    assert metric.get_metric() == pytest.approx(expected, abs=1e-12)


def test_workers_add_up_their_counts():
    threads = random_threads(17)
    run_in_two_processes(count_on_worker, threads, scores(threads))


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_agrees_with_cpu():
    batch = tensors(random_threads(3))
    on_cpu, on_gpu = ThreadScores(by_depth=True), ThreadScores(by_depth=True)
    on_cpu(*batch)
    on_gpu(*(x.cuda() for x in batch))
    assert on_gpu.get_metric() == on_cpu.get_metric()
