"""Head rules, on phrases whose heads Collins (1999) and other descriptions of them give."""

import pytest

from nerzoo.text.constituents import Arcs, Child


def head(category, children):
    """The number of the head of a constituent over words, from 0."""
    children = children.split()
    return Arcs(len(children)).attach(category, [Child(part, number) for number, part in enumerate(children)]).head


@pytest.mark.parametrize(
    "category, children, expected",
    [
        ("NP", "DT JJ NN", 2),
        ("NP", "DT NN NN VBG", 2),
        ("NP", "DT NN POS", 2),
        ("NP", "NP PP NP", 0),
        ("NP", "DT ADJP JJ", 1),
        ("NP", "DT CD RB", 1),
        ("NP", "DT JJ VBG", 1),
        ("NP", "DT DT", 1),
        ("S", "NP ADVP VP .", 2),
        ("S", "NP NP", 0),
        ("VP", "MD RB VP", 0),
        ("VP", "VBD NP PP", 0),
        ("VP", "NP TO VP", 1),
        ("PP", "RB IN NP", 1),
        ("SBAR", "WHNP S", 0),
        ("ADVP", "RB RB", 1),
        ("FRAG", "NP ADVP", 1),
        ("TOP", "S .", 0),
        ("X", "FW SYM", 0),
        # The first part of a coordination; a conjunction at the beginning joins nothing.
        ("NP", "NN CC NN", 0),
        ("NP", "JJ , NN CC NN", 2),
        ("NP", "CC NN", 1),
        ("S", "CC NP VP", 2),
    ],
)
def test_the_head_of_a_constituent(category, children, expected):
    assert head(category, children) == expected


def test_labels_name_the_largest_constituent_of_a_word_and_its_parent():
    arcs = Arcs(4)
    noun_phrase = arcs.attach("NP", [Child("DT", 0), Child("NN", 1)])
    verb_phrase = arcs.attach("VP", [Child("VBZ", 2), Child("RB", 3)])
    sentence = arcs.attach("S", [noun_phrase, verb_phrase])
    assert sentence == ("S", 2)
    assert arcs.heads == [2, 3, 0, 3]
    assert arcs.labels == ["NP|DT", "S|NP", "root", "VP|RB"]
