import pytest
import torch

from nerzoo.modules.span_decoders import ScoredEntity, span_candidates

LABELS = ["PER", "LOC"]
LENGTHS = [5, 1, 0, 3]


def random_probabilities(dtype=torch.float64):
    logits = 3 * torch.randn(4, 5, 3, 3, dtype=dtype, generator=torch.Generator().manual_seed(1))
    return logits.softmax(3), torch.arange(5) < torch.tensor(LENGTHS).unsqueeze(1)


@pytest.mark.parametrize("threshold", [0.0, 0.6, 1.0])
def test_against_a_loop_over_spans(threshold):
    probabilities, mask = random_probabilities()
    expected = []
    for of_sentence, length in zip(probabilities.tolist(), LENGTHS, strict=True):
        expected.append([])
        for start in range(length):
            for end in range(start + 1, min(start + 3, length) + 1):
                of_span = of_sentence[start][end - start - 1]
                score = max(of_span)
                if of_span.index(score) > 0 and score > threshold:
                    label = LABELS[of_span.index(score) - 1]
                    expected[-1].append(ScoredEntity(start, end, label, score))
    assert span_candidates(probabilities, mask, LABELS, threshold) == expected
    assert any(expected) == (threshold < 1)


def test_a_sentence_alone_has_the_candidates_that_it_has_in_a_batch():
    probabilities, mask = random_probabilities()
    (alone,) = span_candidates(probabilities[3:, :3], mask[3:, :3], LABELS, 0.5)
    assert span_candidates(probabilities, mask, LABELS, 0.5)[3] == alone != []


def test_the_threshold_itself_is_not_above_it():
    probabilities = torch.tensor([[[[0.25, 0.75, 0.0]]]])
    mask = torch.ones(1, 1, dtype=torch.bool)
    assert span_candidates(probabilities, mask, LABELS, 0.75) == [[]]
    assert span_candidates(probabilities, mask, LABELS, 0.7) == [[ScoredEntity(0, 1, "PER", 0.75)]]


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_agrees_with_cpu():
    probabilities, mask = random_probabilities(torch.float32)
    on_gpu = span_candidates(probabilities.cuda(), mask.cuda(), LABELS, 0.5)
    assert on_gpu == span_candidates(probabilities, mask, LABELS, 0.5)
