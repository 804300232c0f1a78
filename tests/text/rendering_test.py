import pytest

from nerzoo.text.palette import TypeNumbers
from nerzoo.text.rendering import coloured_text, html_paragraph, marked_parts, marked_text

TEXT = "The Bank of <England> is old."
SPANS = [(4, 21, "ORG"), (13, 20, "LOC")]


def test_brackets():
    assert marked_text(TEXT, SPANS) == "The [Bank of <[England LOC]> ORG] is old."
    assert marked_text("Ann", [(0, 3, "PER")]) == "[Ann PER]"
    assert marked_text("Ann Bo", [(4, 6, "PER"), (0, 3, "PER")]) == "[Ann PER] [Bo PER]"
    assert marked_text("", []) == ""


def test_colours_go_on_after_an_inner_entity():
    text = coloured_text(TEXT + "\x1b[31m\n", SPANS, TypeNumbers())
    outer, inner = (part.partition("m")[0] for part in text.split("\x1b[0m\x1b[")[1:3])
    assert (outer, inner) == ("38;5;16;48;5;75", "38;5;16;48;5;202")
    assert text.count(f"\x1b[{outer}m") == 2 and text.count(f"\x1b[{inner}m") == 1
    assert text.endswith("is old.\\x1b[31m\n")


def test_html():
    found = html_paragraph(TEXT, SPANS, TypeNumbers())
    assert found.startswith('<p dir="auto">The <mark class="type-0">Bank')
    assert found.count("<mark") == found.count("</mark>") == 2
    assert "&lt;<mark" in found and ">England<b>LOC</b></mark>&gt;<b>ORG</b></mark> is old.</p>\n" in found


ANN = {"words": ["Ann"], "tags": ["X"], "offsets": [0]}
TAGGED = {"text": "Ann Bo", "sentences": [ANN, {**ANN, "words": ["Bo"], "offsets": [4]}]}
PREDICTION = {
    "words": ["Ann", ",", "Bo"],
    "tags": ["X", "Y", "X"],
    "entities": [{"start_char": 0, "end_char": 3, "label": "PER"}],
}


@pytest.mark.parametrize(
    "inputs, prediction, expected",
    [
        ({"words": PREDICTION["words"]}, PREDICTION, ["[Ann PER] , Bo"]),
        ({"words": [], "space_after": [False, True, True]}, PREDICTION, ["[Ann PER], Bo"]),
        ({"sentence": "Ann,\tBo"}, PREDICTION, ["[Ann PER],\tBo"]),
        ("Ann,\tBo", {**PREDICTION, "text": "Ann,\tBo", "sentences": []}, ["[Ann PER],\tBo"]),
        ("Ann Bo", TAGGED, ["[Ann X] [Bo X]"]),
        (
            {"sentences": [{"sentence": "Ann,Bo"}, {}]},
            {"sentences": [PREDICTION] * 2},
            ["[Ann PER],Bo", "[Ann PER] , Bo"],
        ),
        ({"sentence": "Ann,Bo"}, {"words": ["Ann", ",", "Bo"], "tags": ["X", "Y", "X"]}, ["[Ann X][, Y][Bo X]"]),
        ({"words": []}, {"words": [], "tags": [], "entities": []}, [""]),
    ],
)
def test_parts_of_predictions(inputs, prediction, expected):
    assert [marked_text(*part) for part in marked_parts(inputs, prediction)] == expected
