import pytest
from allennlp.common.checks import ConfigurationError
from hypothesis import example, given, settings, strategies as st

from nerzoo.text.splitting import MAX_SENTENCE, MAX_WORD, SPLITTERS, split_text, text_units

# Any character, halves of surrogate pairs too, and often those that rules are about.
TEXT = st.text(
    st.characters() | st.sampled_from(list(" \n\t\r.!?,;:'\"()[]-/@#$%0129aAnNtTsS\u0301\u200d。中ا\ud800\x00"))
)


def words(text):
    return [sentence.words for sentence in split_text(text)]


@settings(max_examples=150, deadline=None)
@given(TEXT, st.sampled_from(list(SPLITTERS)))
@example("a.b@c.d http://www.x.com/?a=(b). U.S.A.'s don't... cannot\r\n\r\n- 1-2-3", "rules")
def test_words_offsets_and_white_space_give_the_text_back(text, splitter):
    end, rebuilt = 0, []
    for sentence in split_text(text, splitter):
        assert sentence.start == sentence.offsets[0]
        for word, offset in zip(sentence.words, sentence.offsets, strict=True):
            gap = text[end:offset]
            assert offset >= end and word and not gap.strip()
            rebuilt += [gap, word]
            end = offset + len(word)
        assert sentence.end == end
    assert not text[end:].strip()
    assert "".join(rebuilt) + text[end:] == text


@settings(max_examples=80, deadline=None)
@given(st.lists(TEXT, max_size=3))
def test_texts_that_blank_lines_separate_have_the_sentences_of_each(texts):
    assert words("\n\n".join(texts)) == [sentence for text in texts for sentence in words(text)]


@settings(max_examples=80, deadline=None)
@given(st.text(st.sampled_from(list("aA.!?'\" \n(,1中")), max_size=30), st.integers(0, 5))
def test_white_space_around_a_text_changes_nothing(text, width):
    assert words(" " * width + text + "\n" * width) == words(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mr. Holt left. He ran!", ["Mr. Holt left .", "He ran !"]),
        ('"Go!" she said. "Why?" (They did.) Then', ['" Go ! " she said .', '" Why ? "', "( They did . )", "Then"]),
        ("The U.S. Army and the U.S. The end.", ["The U.S. Army and the U.S.", "The end ."]),
        ("J. R. Holt, Jr. came, e.g. Tom.", ["J. R. Holt , Jr. came , e.g. Tom ."]),
        ("Well... no. And then... Yes", ["Well ... no .", "And then ...", "Yes"]),
        ("It was in 1805. [6] He left.", ["It was in 1805 . [ 6 ]", "He left ."]),
        ("one\n\ntwo\n \nthree\r\n\r\nfour", ["one", "two", "three", "four"]),
        ("a line\nthat goes on\n- an item\n2. another", ["a line that goes on", "- an item", "2 . another"]),
        ("他住在北京。她说：「好。」再见", ["他 住 在 北 京 。", "她 说 ： 「 好 。 」", "再 见"]),
        ("मारा गई। वह", ["मारा गई ।", "वह"]),
        ("مارا رحلت؟ نعم", ["مارا رحلت ؟", "نعم"]),
        ("Don’t, can't, Mara's, they'll, cannot", ["Do n’t , ca n't , Mara 's , they 'll , can not"]),
        ("gonna rock O'Brien's o'clock", ["gon na rock O'Brien 's o'clock"]),
        ("a well-known e-mail and/or US-based", ["a well - known e-mail and / or US - based"]),
        ("See http://x.org/a?b=(1), www.y.org. Or z.com!", ["See http://x.org/a?b=(1 ) , www.y.org .", "Or z.com !"]),
        ("@mara_h #NER2 m.holt@x-y.co.uk :) <3", ["@mara_h #NER2 m.holt@x-y.co.uk :) <3"]),
        (
            "$1,200.50, 50%, 3pm, 5th, 1990s, 555-1234, 9/11",
            ["$ 1,200.50 , 50 % , 3 pm , 5th , 1990s , 555-1234 , 9/11"],
        ),
        ("AT&T's F-16; cafe\u0301 👩\u200d", ["AT&T 's F-16 ; cafe\u0301 👩\u200d"]),
        ("@@PADDING@@ @@UNKNOWN@@", ["@ @PADDING @ @ @ @UNKNOWN @ @"]),
        ("", []),
        (" \n\t\u3000", []),
        (".", ["."]),
    ],
)
def test_sentences_and_words(text, expected):
    assert list(map(" ".join, words(text))) == expected


def test_lines():
    assert list(map(" ".join, (s.words for s in split_text("One. Two.\n\n don't \n", "lines")))) == [
        "One . Two .",
        "do n't",
    ]


@pytest.mark.parametrize(
    "text",
    [
        *("word, " * 10_000, "w" * 300_000, "'\"" * 9_000, "a.b@" * 9_000, "中" * 20_000, "." * 300_000, "@a" * 90_000),
        *("中" + "\u0301" * 5_000, "1" * 250 + ".1" * 200, "http://" + "a" * 999, "@" + "a" * 300, "www." * 90_000),
    ],
    ids=len,
)
def test_words_and_sentences_without_bounds_are_limited(text):
    sentences = split_text(text)
    assert max(len(sentence.words) for sentence in sentences) <= MAX_SENTENCE
    assert max(len(word) for sentence in sentences for word in sentence.words) <= MAX_WORD
    assert sum(len(word) for sentence in sentences for word in sentence.words) == len(text.replace(" ", ""))


def test_a_long_sentence_is_cut_after_a_comma():
    first, second = words("w " * 300 + ", " + "w " * 200)
    assert (len(first), first[-1], len(second)) == (301, ",", 200)


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        ("line", [(2, "a"), (3, " b"), (6, "c")]),
        ("paragraph", [(2, "a\n b"), (6, "c")]),
        ("file", [(1, "\na\n b\n \n\nc\n")]),
    ],
)
def test_texts_of_a_file(unit, expected):
    assert list(text_units(enumerate(["", "a", " b", " ", "", "c", ""], 1), unit)) == expected
    assert list(text_units(enumerate(["", " "], 1), unit)) == list(text_units([], unit)) == []


def test_another_splitter_is_an_error():
    with pytest.raises(ConfigurationError, match="found the splitter 'none', expected 'rules' or 'lines'"):
        split_text("", "none")
