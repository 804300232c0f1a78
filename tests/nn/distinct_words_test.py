import torch

from nerzoo.nn.batches import distinct_words

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
