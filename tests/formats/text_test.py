import re

import pytest

from nerzoo.formats.text import HtmlWriter, MarkedTextWriter
from nerzoo.text.annotation import Document, Entity, Sentence

ANN = Sentence(["Ann", "met", "Ann", "Lee"], entities=[Entity(0, 1, "A"), Entity(2, 4, "B"), Entity(3, 4, "C")])
TEXT = " Ann met Ann\nLee Ann met  Ann Lee"
TAGGED = Sentence(["We", "left", "."], tags=["P", "V", "."], space_after=[True, False, True])


@pytest.mark.parametrize(
    "document, expected",
    [
        (Document("1", [ANN, TAGGED]), "[Ann A] met [Ann [Lee C] B]\n[We P] [left V][. .]\n"),
        (
            Document(None, [ANN, ANN], TEXT),
            " [Ann A] met [Ann\n[Lee C] B] [Ann A] met  [Ann [Lee C] B]\n",
        ),
    ],
)
def test_text(document, expected, tmp_path):
    writer = MarkedTextWriter()
    writer.write_all([document], tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text() == expected
    assert "sentences' bounds and words" in writer.lost() and "nested" not in writer.lost()


def test_page(tmp_path):
    HtmlWriter().write_all([Document(None, [ANN]), Document(None, [TAGGED, ANN])], tmp_path / "out.html")
    page = (tmp_path / "out.html").read_text()
    assert page.startswith("<!DOCTYPE html>") and page.endswith("</html>\n")
    assert page.count("<p ") == 3 and page.count("<mark") == page.count("</mark>") == 9
    classes = re.findall(r'<mark class="(.*?)">', page)
    assert classes == [f"type-{number}" for number in (0, 1, 2, 3, 4, 5, 0, 1, 2)]
