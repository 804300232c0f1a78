import pytest
from allennlp.common.checks import ConfigurationError

from nerzoo.formats.corpus import bracketed_spans, check_tree, parse_heads, tagged_spans
from nerzoo.text.annotation import Entity

WORDS = ["word 0", "word 1", "word 2", "word 3"]


def spans(*cells):
    return bracketed_spans(cells, WORDS, name=lambda body: body.split("-")[0])


def test_nested_brackets():
    assert spans("(1-a(2-b)", "", "(3-c|(2-d", "2)3)1)") == [
        Entity(0, 4, "1-a"),
        Entity(0, 1, "2-b"),
        Entity(2, 4, "2-d"),
        Entity(2, 4, "3-c"),
    ]


def test_the_innermost_bracket_of_a_name_is_closed_first():
    assert spans("(1-a", "(1-b", "1)", "1)") == [Entity(0, 4, "1-a"), Entity(1, 3, "1-b")]


@pytest.mark.parametrize(
    "cells, message",
    [
        (
            ["", "(1-a", "", ""],
            r"word 1: found the opening bracket '\(1-a', expected a closing one in the same sentence",
        ),
        (["", "", "1)", "(1-a"], r"word 2: found the closing bracket '1\)', expected an opening one before it"),
        (["(1-a", "2)", "", "1)"], r"word 1: found the closing bracket '2\)'"),
        (["(1-a", "(2-b", "1)", "2)"], "word 1: found .* which crosses .* expected nested entities"),
        (["", "org", "", ""], "word 1: found 'org'"),
        (["", "()", "", ""], "word 1: found"),
    ],
    ids=["unclosed", "unopened", "wrong name", "crossing", "no bracket", "no label"],
)
def test_wrong_brackets(cells, message):
    with pytest.raises(ConfigurationError, match=message):
        spans(*cells)


def test_tagged_spans():
    assert tagged_spans(["I-X", "O", "B-Y", "I-Y"], WORDS, "BIO") == [Entity(0, 1, "X"), Entity(2, 4, "Y")]
    with pytest.raises(ConfigurationError, match="word 1: found the tag 'S-X', expected O, or one of B, I"):
        tagged_spans(["O", "S-X"], WORDS[:2], "BIO")


def test_tagged_spans_in_the_notation_of_media():
    assert tagged_spans(["X-I", "null", "a-Y-B", "a-Y-I"], WORDS, "BIO", "suffix") == [
        Entity(0, 1, "X"),
        Entity(2, 4, "a-Y"),
    ]
    assert tagged_spans(["X-S", "null"], WORDS[:2], "BIOES", "suffix") == [Entity(0, 1, "X")]
    with pytest.raises(ConfigurationError, match="word 1: found the tag 'X-S', expected null, or one of B, I"):
        tagged_spans(["null", "X-S"], WORDS[:2], "BIO", "suffix")


def places(heads):
    return [f"word {position}" for position in range(1, len(heads) + 1)]


@pytest.mark.parametrize("heads", [[0], [2, 0, 2], [2, 3, 0], [0, 1, 2], [0, 0, 2], [4, 4, 0, 3]])
def test_trees(heads):
    check_tree(heads, places(heads))


@pytest.mark.parametrize(
    "heads, message",
    [
        ([0, 3], "word 2: found the head 3, expected an integer from 0 to 2"),
        ([-1, 0], "word 1: found the head -1, expected an integer from 0 to 2"),
        (["x", 0], "word 1: found the head 'x'"),
        ([1.0, 0], "word 1: found the head 1.0"),
        ([True, 0], "word 1: found the head True"),
        ([2, 1], "found a sentence without a root"),
        ([0, 2, 1], "word 2: found the cycle of heads 2 -> 2"),
        ([0, 3, 4, 2], "word 2: found the cycle of heads 2 -> 3 -> 4 -> 2"),
        ([3, 0, 4, 3], "word 3: found the cycle of heads 3 -> 4 -> 3"),
    ],
)
def test_what_is_no_tree(heads, message):
    with pytest.raises(ConfigurationError, match=message):
        check_tree(heads, places(heads))


def test_parse_heads():
    assert parse_heads(["2", "0"], places("ab")) == [2, 0]
    assert parse_heads(["_", "_"], places("ab")) is None
    for cells in (["_", "0"], ["0", "1.5"], ["-1", "0"]):
        with pytest.raises(ConfigurationError, match="found the head .* expected an integer"):
            parse_heads(cells, places("ab"))
