import pytest
import torch
from allennlp.common.checks import ConfigurationError
from helpers.pretended_gpu import PretendedGpu
from torch.testing import assert_close

from nerzoo.modules.span_filter import FilterScores, SpanFilter
from nerzoo.nn.spans import span_indices, span_mask

LENGTHS = [7, 1, 5]
MASK = torch.arange(7) < torch.tensor(LENGTHS).unsqueeze(1)
MAX_LENGTH, SIZE, RANK = 4, 5, 3


@pytest.fixture
def span_filter():
    torch.manual_seed(2)
    span_filter = SpanFilter(SIZE, MAX_LENGTH, hidden_size=6, rank=RANK).double()
    torch.nn.init.normal_(span_filter.lengths)
    return span_filter


def cells():
    """Every span, as a cell of the grid."""
    for sentence, length in enumerate(LENGTHS):
        for start in range(length):
            for end in range(start + 1, min(start + MAX_LENGTH, length) + 1):
                yield sentence, start, end - start - 1


def test_logits_are_those_of_each_span_by_itself(span_filter):
    words = torch.randn(sum(LENGTHS), SIZE, dtype=torch.float64)
    logits = span_filter(words, span_indices(MASK.unsqueeze(2)), MASK.shape)
    assert logits.shape == (3, 7, MAX_LENGTH)
    outputs = [span_filter.words(word) for word in words]
    sentences = [outputs[:7], outputs[7:8], outputs[8:]]
    for sentence, start, column in cells():
        first, last = sentences[sentence][start], sentences[sentence][start + column]
        # Each word has s and u as a start, then e and v as an end.
        s, u, e, v = first[0], first[1 : 1 + RANK], last[1 + RANK], last[2 + RANK :]
        assert_close(logits[sentence, start, column], s + e + span_filter.lengths[column] + u @ v)


def test_does_not_wait_for_a_gpu(span_filter):
    gpu = PretendedGpu()
    gpu.put_model(span_filter)
    inputs = gpu.put((torch.ones(sum(LENGTHS), SIZE, dtype=torch.float64), span_indices(MASK.unsqueeze(2))))
    with gpu.running():
        span_filter(*inputs, MASK.shape).sum().backward()
    assert gpu.reads == []


@pytest.mark.parametrize("annotated", [None, [[True, True], [True, False], [False, False]]])
def test_loss_is_averaged_over_the_spans_that_are_known(span_filter, annotated):
    logits = torch.randn(3, 7, MAX_LENGTH, dtype=torch.float64)
    labels = torch.zeros(3, 7, MAX_LENGTH, dtype=torch.long)
    labels[0, 2, 3], labels[2, 1, 0] = 2, 1
    losses = []
    for cell in cells():
        if labels[cell] > 0:
            losses.append(-logits[cell].sigmoid().log())
        elif annotated is None or all(annotated[cell[0]]):
            losses.append(-(1 - logits[cell].sigmoid()).log())
    found = span_filter.loss(
        logits, labels, span_mask(MASK, MAX_LENGTH), None if annotated is None else torch.tensor(annotated)
    )
    assert_close(found, torch.stack(losses).mean())


def test_scores_over_two_batches():
    labels = torch.tensor([[[3, 0], [0, 1], [0, 0]]])
    is_span = torch.tensor([[[True, True], [True, True], [True, False]]])
    kept = torch.tensor([[[True, True], [False, False], [False, True]]])
    scores = FilterScores()
    assert scores.get_metric() == {"filter_recall": 0.0, "filter_share": 0.0}
    scores(kept, labels, is_span)
    assert scores.get_metric() == {"filter_recall": 0.5, "filter_share": 0.4}
    scores(is_span, labels, is_span)
    assert scores.get_metric(reset=True) == {"filter_recall": 0.75, "filter_share": 0.7}


@pytest.mark.parametrize("threshold", [-0.1, 1.5])
def test_a_threshold_is_a_probability(threshold):
    with pytest.raises(ConfigurationError, match="found the threshold .*, expected a number from 0 to 1"):
        SpanFilter(SIZE, MAX_LENGTH, threshold=threshold)
