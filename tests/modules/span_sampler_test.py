import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from torch.testing import assert_close

from nerzoo.modules.span_sampler import SpanSampler

MAX_LENGTH = 3
ENTITIES = [[(0, 2), (1, 2), (6, 11)], [], [(0, 1)], []]
LENGTHS = [11, 5, 1, 0]


def batch(entities=ENTITIES, lengths=LENGTHS):
    """Labels, tokens inside of entities, and mask; an entity longer than spans has no label."""
    labels = torch.zeros(len(lengths), max(lengths), MAX_LENGTH, dtype=torch.long)
    inside = torch.zeros(labels.shape[:2], dtype=torch.bool)
    for sentence, spans in enumerate(entities):
        for start, end in spans:
            inside[sentence, start:end] = True
            if end - start <= MAX_LENGTH:
                labels[sentence, start, end - start - 1] = 2
    return labels, inside, torch.arange(max(lengths)) < torch.tensor(lengths).unsqueeze(1)


def spans_by_kind():
    kinds = {"positive": set(), "overlapping": set(), "disjoint": set()}
    for sentence, (spans, length) in enumerate(zip(ENTITIES, LENGTHS, strict=True)):
        for start in range(length):
            for end in range(start + 1, min(start + MAX_LENGTH, length) + 1):
                kind = "disjoint"
                if (start, end) in spans:
                    kind = "positive"
                elif any(begin < end and start < stop for begin, stop in spans):
                    kind = "overlapping"
                kinds[kind].add((sentence, start, end))
    return kinds


def drawn(overlap_rate, disjoint_rate):
    spans, log_rates = SpanSampler(overlap_rate, disjoint_rate)(*batch())
    assert log_rates is None
    spans = spans.tolist()
    assert spans == sorted(spans)
    as_set = set(map(tuple, spans))
    assert len(as_set) == len(spans)
    return as_set


def test_all_of_a_kind_or_none():
    kinds = spans_by_kind()
    assert drawn(0, 0) == kinds["positive"]
    assert drawn(1, 0) == kinds["positive"] | kinds["overlapping"]
    assert drawn(0, 1) == kinds["positive"] | kinds["disjoint"]
    assert drawn(1, 1) == set().union(*kinds.values())


def test_each_kind_is_drawn_at_its_rate():
    torch.manual_seed(0)
    kinds = spans_by_kind()
    draws = [drawn(0.36, 0.09) for _ in range(2000)]
    for kind, rate in (("positive", 1), ("overlapping", 0.36), ("disjoint", 0.09)):
        for span in kinds[kind]:
            # Five standard deviations.
            assert sum(span in draw for draw in draws) / len(draws) == pytest.approx(rate, abs=0.054)


def test_every_draw_is_afresh_and_follows_from_the_seed():
    torch.manual_seed(5)
    first, second = drawn(0.5, 0.5), drawn(0.5, 0.5)
    assert first != second
    torch.manual_seed(5)
    assert drawn(0.5, 0.5) == first


def test_a_batch_without_an_entity():
    without = batch([[], []], [4, 2])
    assert SpanSampler(1.0, 0.0)(*without)[0].shape == (0, 3)
    assert len(SpanSampler(0.0, 1.0)(*without)[0]) == (4 + 3 + 2) + (2 + 1)


def test_from_params_with_the_rates_of_the_original_program():
    sampler = SpanSampler.from_params(Params({"overlap_rate": 0.08}))
    assert (sampler.overlap_rate, sampler.disjoint_rate) == (0.08, 0.09)
    assert SpanSampler().overlap_rate == 0.36


@pytest.mark.parametrize("params", [{"overlap_rate": 1.5}, {"disjoint_rate": -0.1}])
def test_rates_are_shares(params):
    with pytest.raises(ConfigurationError, match=f"found the {next(iter(params))} .*, expected a number from 0 to 1"):
        SpanSampler(**params)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_agrees_with_cpu():
    for rates in ((0.0, 1.0), (1.0, 0.0)):
        on_gpu, _ = SpanSampler(*rates)(*(x.cuda() for x in batch()))
        assert_close(on_gpu.cpu(), SpanSampler(*rates)(*batch())[0])


def test_rates_of_drawn_spans():
    torch.manual_seed(2)
    disjoint = spans_by_kind()["disjoint"]
    spans, found = SpanSampler(0.36, 0.09, corrected=True)(*batch())
    is_disjoint = [tuple(span) in disjoint for span in spans.tolist()]
    assert {True, False} == set(is_disjoint)
    assert_close(found, torch.tensor([0.09 if far else 0.36 for far in is_disjoint]).log())
    _, found = SpanSampler(0, 0, corrected=True)(*batch())
    assert len(found) > 0 and found.isfinite().all()
