import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.training.metrics import Metric
from helpers.processes import run_in_two_processes

from nerzoo.training.metrics.counting_metric import TagScores

TAGS = ["c", "i", "other"]


def make_metric(**parameters) -> TagScores:
    vocab = Vocabulary(tokens_to_add={"labels": TAGS})
    return Metric.from_params(Params({"type": "tag_scores", **parameters}), vocabulary=vocab)


def make_tags(seed: int, batch_size: int = 5, length: int = 7):
    generator = torch.Generator().manual_seed(seed)
    predicted, gold = torch.randint(len(TAGS), (2, batch_size, length), generator=generator)
    mask = torch.arange(length) < torch.randint(1, length + 1, (batch_size, 1), generator=generator)
    return predicted, gold, mask


def expected_scores(batches, label):
    from sklearn.metrics import accuracy_score, fbeta_score, precision_score, recall_score

    predicted, gold = (torch.cat([batch[side][batch[2]] for batch in batches]).tolist() for side in range(2))
    options = {"labels": [label], "average": None, "zero_division": 0}
    return {
        "accuracy": accuracy_score(gold, predicted),
        "precision": precision_score(gold, predicted, **options)[0],
        "recall": recall_score(gold, predicted, **options)[0],
        "f0.5": fbeta_score(gold, predicted, beta=0.5, **options)[0],
    }


@pytest.mark.parametrize("positive_label", TAGS)
def test_equals_scikit_learn(positive_label):
    metric = make_metric(positive_label=positive_label)
    batches = [make_tags(seed) for seed in range(4)]
    for batch in batches:
        metric(*batch)
    expected = expected_scores(batches, TAGS.index(positive_label))
    assert metric.get_metric() == pytest.approx(expected, abs=1e-6)
    assert metric.get_metric(reset=True) == pytest.approx(expected, abs=1e-6)
    assert set(metric.get_metric().values()) == {0.0}


def test_counts_precision_more_than_recall():
    # Of two found errors one is one; of four errors one is found.
    gold = torch.tensor([[1, 1, 1, 1, 0, 0]])
    predicted = torch.tensor([[1, 0, 0, 0, 1, 0]])
    metric = make_metric(positive_label="i")
    metric(predicted, gold, torch.ones_like(gold).bool())
    expected = {"accuracy": 2 / 6, "precision": 1 / 2, "recall": 1 / 4, "f0.5": 1.25 * 0.125 / (0.25 * 0.5 + 0.25)}
    assert metric.get_metric() == pytest.approx(expected)


@pytest.mark.parametrize("predicted, gold", [([0, 2], [1, 0]), ([1, 1], [0, 0]), ([0, 0], [0, 0])])
def test_nothing_found_is_zero(predicted, gold):
    metric = make_metric(positive_label="i")
    metric(torch.tensor([predicted]), torch.tensor([gold]), torch.ones(1, 2, dtype=torch.bool))
    assert metric.get_metric()["f0.5"] == 0.0


def test_accuracy_alone_without_a_main_label():
    metric = make_metric()
    batch = make_tags(3)
    metric(*batch)
    assert metric.get_metric(reset=True) == pytest.approx({"accuracy": expected_scores([batch], 1)["accuracy"]})
    assert metric.get_metric() == {"accuracy": 0.0}


def test_counts_by_tag():
    # The last gold tag is one that the vocabulary lacks.
    metric = make_metric()
    metric(torch.tensor([[0, 1, 1, 2, 0]]), torch.tensor([[0, 0, 1, 4, 0]]), torch.tensor([[True] * 4 + [False]]))
    assert metric.get_metric(reset=True) == {"accuracy": 2 / 4}
    assert metric.last_by_type() == {"c": [1, 1, 2], "i": [1, 2, 1], "other": [0, 1, 0], "(unknown)": [0, 0, 1]}


def test_a_main_label_that_the_data_does_not_have_is_an_error():
    with pytest.raises(ConfigurationError, match="found positive_label 'e', expected one of the tags: c, i, other"):
        make_metric(positive_label="e")


def score_in_a_worker(rank, world_size, gpu_id, metric, batches, expected):
    metric(*batches[rank])
    assert metric.get_metric() == pytest.approx(expected, abs=1e-6)


def test_distributed():
    batches = [make_tags(1), make_tags(2)]
    metric = make_metric(positive_label="i")
    run_in_two_processes(score_in_a_worker, metric, batches, expected_scores(batches, 1))
