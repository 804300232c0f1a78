import pytest
import torch
from torch.testing import assert_close

from nerzoo.data.token_indexers.characters import distinct_rows
from nerzoo.modules.seq2seq_encoders.memory import join_sentences, sentence_mask, split_documents
from nerzoo.modules.token_embedders.char_gated import distinct_words


@pytest.mark.parametrize("shape", [(11, 3), (1, 1), (5, 7)])
def test_finds_each_row_once(shape):
    torch.manual_seed(1)
    rows = torch.randint(2, shape)
    first, inverse = distinct_rows(rows)
    assert torch.equal(rows[first][inverse], rows)
    assert len(first) == len(rows.unique(dim=0))
    assert inverse.shape == shape[:1]


def test_rows_need_not_be_contiguous():
    rows = torch.tensor([[1, 2, 1], [3, 3, 3]]).t()
    first, inverse = distinct_rows(rows)
    assert torch.equal(rows[first][inverse], rows)
    assert len(first) == 2


WORDS = torch.tensor([[5, 1, 5], [7, 0, 0]])
KNOWN = torch.tensor([[True, False, True], [True, False, False]])
# Of padding, of 5, of the unknown word, of 7.
CHARACTERS = torch.tensor([[0, 0], [2, 3], [4, 0], [5, 6]])
ROWS = torch.tensor([[1, 2, 1], [3, 0, 0]])


def test_words_that_are_told_apart():
    found = distinct_words(WORDS, KNOWN, CHARACTERS, ROWS)
    assert found.words.tolist() == [0, 5, 1, 7]
    assert found.num_known.tolist() == [0, 2, 0, 1]
    assert found.characters is CHARACTERS and found.rows is ROWS


def test_words_that_are_not_told_apart():
    found = distinct_words(WORDS, KNOWN, CHARACTERS[ROWS], None)
    assert found.words.tolist() == WORDS.flatten().tolist()
    assert found.num_known.tolist() == [1, 0, 1, 1, 0, 0]
    assert torch.equal(found.words[found.rows], WORDS)
    assert torch.equal(found.characters[found.rows], CHARACTERS[ROWS])


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
