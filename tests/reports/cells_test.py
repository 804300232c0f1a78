import pytest

from nerzoo.reports.tables import MarkedText, Segment, markdown_marked, markdown_text, order, written


@pytest.mark.parametrize(
    "value, kind, text, key",
    [
        ("strict", "text", "strict", ""),
        (1234, "count", "1,234", "1234.0"),
        (12.25, "count", "12.2", "12.25"),
        (0.38214, "score", "38.21", "0.38214"),
        (0.5, "difference", "+50.00", "0.5"),
        (-0.0123, "difference", "-1.23", "-0.0123"),
        ([-0.01, 0.2], "interval", "-1.00 to +20.00", "-0.01"),
        ([0.01, 0.2], "scores", "1.00 to 20.00", "0.01"),
        (0.12345, "number", "0.1235", "0.12345"),
        (0.0001, "p", "0.0001", "0.0001"),
        (None, "p", "–", ""),
        (None, "interval", "–", ""),
    ],
)
def test_cells(value, kind, text, key):
    assert (written(value, kind), order(value, kind)) == (text, key)


def test_markdown_shows_words_as_they_are():
    assert markdown_text("a|b *c* <d> [e](f)\n`g`") == r"a\|b \*c\* \<d\> \[e\](f) \`g\`"


def test_sentences_in_markdown():
    segments = [
        Segment("words", "in"),
        Segment("open", "LOC"),
        Segment("words", "Port_Ansel"),
        Segment("close", "LOC", True),
        Segment("words", "."),
    ]
    assert markdown_marked([MarkedText(segments, ["missed: A|B"], "2 of 3 runs"), MarkedText(segments[:1])]) == (
        r"2 of 3 runs: in \[Port\_Ansel\]~~**LOC**~~ .<br>missed: A\|B<br>in"
    )
