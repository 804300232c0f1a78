import torch
from helpers.plain_spans import every_span, word_characters

from nerzoo.modules.span_features.characters import character_sequence, character_spans

WORDS = [["ab", "c"], [], ["d"], ["e", "fgh"]]


def test_words_with_a_space_before_and_after_each():
    symbols, starts, ends = character_sequence(*word_characters(WORDS, 3))
    assert "".join(" abcdefgh"[symbol] for symbol in symbols) == " ab c d e fgh "
    assert starts[0].tolist() == [1, 4] and ends[0].tolist() == [3, 5]
    assert starts[3].tolist() == [8, 10] and ends[3].tolist() == [9, 13]


def test_spans_are_runs():
    sequence = character_sequence(*word_characters(WORDS, 5))
    spans = every_span(map(len, WORDS), 2)
    text = "".join(" abcdefgh"[symbol] for symbol in sequence.symbols)
    spans = character_spans(sequence, spans).tolist()
    assert [text[first : last + 1] for first, last in spans] == ["ab", "ab c", "c", "d", "e", "e fgh", "fgh"]


def test_nothing_but_padding():
    sequence = character_sequence(torch.zeros(2, 3, 4, dtype=torch.long), torch.zeros(2, 3, dtype=torch.bool))
    assert sequence.symbols.tolist() == [0]
