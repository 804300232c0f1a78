import pytest
import torch
from torch.testing import assert_close

from nerzoo.nn.batches import join_sentences, sentence_mask, split_documents

SIZE, LENGTH = 2, 5
SENTENCES = torch.tensor([[[0, 1, -1], [2, 3, 4]], [[0, -1, -1], [-1, -1, -1]], [[-1, -1, -1], [-1, -1, -1]]])


@pytest.fixture
def documents() -> torch.Tensor:
    torch.manual_seed(13)
    return torch.randn(len(SENTENCES), LENGTH, SIZE, dtype=torch.float64)


def test_mask():
    assert sentence_mask(SENTENCES).int().tolist() == [[1, 1, 0], [1, 1, 1], [1, 0, 0], *[[0, 0, 0]] * 3]


def test_sentences_of_documents(documents):
    split = split_documents(documents, SENTENCES)
    assert split.shape == (6, 3, SIZE)
    rows = SENTENCES.flatten(0, 1)
    for number, row in enumerate(rows):
        for token, position in enumerate(row):
            assert_close(split[number, token], documents[number // 2, max(position, 0)])
    ids = torch.arange(15).view(3, 5)
    assert split_documents(ids, SENTENCES).tolist() == [[0, 1, 0], [2, 3, 4], [5] * 3, [5] * 3, [10] * 3, [10] * 3]


def test_there_and_back(documents):
    joined = join_sentences(split_documents(documents, SENTENCES), SENTENCES, LENGTH)
    expected = documents.clone()
    expected[1, 1:] = expected[2] = 0.0
    assert_close(joined, expected)


def test_padding_has_no_gradient(documents):
    tokens = split_documents(documents, SENTENCES).requires_grad_()
    join_sentences(tokens, SENTENCES, LENGTH).sum().backward()
    assert (tokens.grad.any(-1) == sentence_mask(SENTENCES)).all()
