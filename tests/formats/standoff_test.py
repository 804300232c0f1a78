import random
from collections import Counter

import pytest
import spacy
from allennlp.common.checks import ConfigurationError

from nerzoo.formats.standoff import CharacterSpan, TextSplitter
from nerzoo.text.annotation import Entity

TEXT = "Dr. Lind left  Oslo-Nord. Why?\nMara\tstayed!"


def document(text, *spans, **options):
    counts = Counter()
    spans = [CharacterSpan(start, end, label, f"span {start}") for start, end, label in spans]
    read = TextSplitter(**options).document("a", text, spans, lambda line: f"file:{line}", counts)
    return read, {what: count for what, count in counts.items() if count}


def span(text, covered, label="X"):
    start = text.index(covered)
    return start, start + len(covered), label


def test_words_and_sentences():
    read, counts = document(TEXT, span(TEXT, "Dr. Lind", "PER"), span(TEXT, "Mara", "PER"))
    words = [["Dr.", "Lind", "left", "Oslo", "-", "Nord", "."], ["Why", "?"], ["Mara", "stayed", "!"]]
    assert [sentence.words for sentence in read.sentences] == words
    assert [sentence.entities for sentence in read.sentences] == [[Entity(0, 2, "PER")], [], [Entity(0, 1, "PER")]]
    assert read.sentences[0].space_after == [True, True, True, False, False, False, True]
    assert [sentence.id for sentence in read.sentences] == ["file:1", "file:1", "file:2"]
    assert (read.id, read.text, counts) == ("a", TEXT, {})


@pytest.mark.parametrize("seed", range(5))
def test_splits_as_spacy_does(seed):
    """On lines of their own, with white space of several kinds between the words."""
    rng = random.Random(seed)
    pieces = [
        "Mr. A.",
        "don't",
        "U.S.-based",
        "(x)",
        "3.5%",
        "!?",
        "e.g.",
        '"No."',
        "ok",
        "…",
        "\u00e9t\u00e9",
        "\U0001f600",
    ]
    text = "".join(rng.choice(pieces) + rng.choice([" ", "  ", "\t", "\u00a0", ""]) for _ in range(50))
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    expected = [[token.idx for token in sentence if not token.is_space] for sentence in nlp(text).sents]
    words = TextSplitter().words(text)
    assert [[start for start, _ in sentence] for sentence in words] == [sentence for sentence in expected if sentence]
    assert "".join(text[start:end] for sentence in words for start, end in sentence) == "".join(text.split())


def test_entities_over_the_end_of_a_sentence_or_line_join_them():
    read, counts = document(TEXT, span(TEXT, "Why?\nMara"))
    assert [sentence.words[0] for sentence in read.sentences] == ["Dr.", "Why"]
    assert read.sentences[1].entities == [Entity(0, 3, "X")]
    assert counts == {"ends of sentences within entities": 1}


def test_nested_entities_are_in_order():
    read, _ = document("a b c", (4, 5, "Y"), (0, 3, "X"), (0, 5, "Z"), (0, 1, "X"))
    assert read.sentences[0].entities == [Entity(0, 3, "Z"), Entity(0, 2, "X"), Entity(0, 1, "X"), Entity(2, 3, "Y")]


def test_entities_that_cross():
    with pytest.raises(ConfigurationError, match="span 2: found .*'Y'.*, which crosses .*'X'.*, expected nested"):
        document("a b c", (2, 5, "Y"), (0, 3, "X"))


def test_white_space_at_the_ends_of_entities():
    read, counts = document("to Oslo .", (2, 8, "LOC"))
    assert read.sentences[0].entities == [Entity(1, 2, "LOC")]
    assert counts == {"entities with white space at their ends": 1}


def test_entities_within_a_word():
    text = "anti-Oslovian Mara"
    with pytest.raises(
        ConfigurationError, match="span 5: found the entity 'Oslo', a part of the words 'Oslovian', expected one that"
    ):
        document(text, span(text, "Oslo"))
    read, counts = document(text, span(text, "Oslo"), boundaries="widen")
    assert read.sentences[0].words[2] == "Oslovian" and read.sentences[0].entities == [Entity(2, 3, "X")]
    assert counts == {"entities widened to whole words": 1}
    read, counts = document(text, span(text, "Oslo"), span(text, "vian Ma"), boundaries="split")
    assert read.sentences[0].words == ["anti", "-", "Oslo", "vian", "Ma", "ra"]
    assert read.sentences[0].entities == [Entity(2, 3, "X"), Entity(3, 5, "X")]
    assert counts == {"words split at the ends of entities": 2}
    assert read.sentences[0].space_after == [False, False, False, True, False, True]


def test_pretokenized():
    text = "Dr. Lind, left\u00a0! no\n\nWhy"
    read, _ = document(text, span(text, "Lind,"), pretokenized=True)
    assert [sentence.words for sentence in read.sentences] == [["Dr.", "Lind,", "left\u00a0!", "no"], ["Why"]]
    assert read.sentences[0].entities == [Entity(1, 2, "X")]
    assert read.sentences[1].id == "file:3"
    assert read.text is None


def test_probabilities_where_all_entities_have_them():
    spans = [CharacterSpan(0, 1, "X", "a", 0.5), CharacterSpan(2, 3, "X", "a", 0.25), CharacterSpan(5, 6, "X", "a")]
    read = TextSplitter().document(None, "a b\nc d", spans[:2] + [spans[2]._replace(start=4, end=5)], str, Counter())
    assert [sentence.probabilities for sentence in read.sentences] == [[0.5, 0.25], None]


def test_no_words():
    assert document(" \n ")[0].sentences == []


@pytest.mark.parametrize(
    "start, end, message",
    [
        (3, 6, "span 3: found an entity from 3 to 6, expected 0 <= start < end <= 5, the length of the text"),
        (-1, 2, "an entity from -1 to 2"),
        (2, 2, "an entity from 2 to 2"),
        (1, 2, "found the entity ' ', expected one that has words"),
    ],
)
def test_bad_offsets(start, end, message):
    with pytest.raises(ConfigurationError, match=message):
        document("a b c", (start, end, "X"))


def test_bad_options():
    with pytest.raises(ConfigurationError, match="found the boundaries 'x', expected 'error', 'widen' or 'split'"):
        TextSplitter(boundaries="x")
    with pytest.raises(ConfigurationError, match="found the language 'xyz', expected one of spaCy's"):
        TextSplitter(language="xyz").words("a")


def test_a_long_line():
    text = "word " * 200_000
    (sentence,) = TextSplitter().words(text)
    assert len(sentence) == 200_000
