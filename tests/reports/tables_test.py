"""Cells, and the page and the Markdown of a report; with Chromium, if it is installed, also the page's script."""

import random
import re
import subprocess

import pytest
from helpers.evaluated import evaluated, system
from helpers.pages import Page, chromium

from nerzoo.reports.report import build_report
from nerzoo.reports.sections import report_sections
from nerzoo.reports.tables import (
    BarChart,
    Column,
    MarkedText,
    Point,
    ScatterChart,
    Section,
    Segment,
    Table,
    mark,
    markdown_marked,
    markdown_text,
    order,
    to_html,
    to_markdown,
    written,
)


@pytest.mark.parametrize(
    "value, kind, text, key",
    [
        ("strict", "text", "strict", ""),
        (1234, "count", "1,234", "1234.0"),
        (12.25, "count", "12.2", "12.25"),
        (0.38214, "score", "38.2", "0.38214"),
        (0.5, "difference", "+50.0", "0.5"),
        (-0.0123, "difference", "-1.2", "-0.0123"),
        ([-0.01, 0.2], "interval", "-1.0 to +20.0", "-0.01"),
        ([0.01, 0.2], "scores", "1.0 to 20.0", "0.01"),
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


def entity(start, end, label):
    return {"start": start, "end": end, "label": label}


def shown(segments):
    """As one string."""
    write = {"words": " {} ", "open": "[", "close": "]{}"}
    return "".join(write[kind].format(text) + "!" * is_wrong for kind, text, is_wrong, _ in segments)


def test_nested_entities():
    inner, outer, same = entity(1, 2, "B"), entity(0, 2, "A"), entity(1, 2, "C")
    assert shown(mark(["a", "b", "c"], [outer, inner])) == "[ a [ b ]B]A c "
    assert shown(mark(["a", "b", "c"], [outer, inner, same])).count("[") == 3


def test_neighbours_and_crossing_ones():
    assert shown(mark(["a", "b", "c"], [entity(0, 1, "A"), entity(1, 2, "B")])) == "[ a ]A[ b ]B c "
    assert shown(mark(["a", "b", "c"], [entity(0, 2, "A"), entity(1, 3, "B")])) == "[ a [ b ]A c ]B"


def test_wrong_ones():
    segments = mark(["a", "b"], [entity(0, 1, "A"), entity(1, 2, "B")], [entity(1, 2, "B")])
    assert segments[-1] == Segment("close", "B", True)
    assert [segment.is_wrong for segment in segments] == [False, False, False, True, False, True]


def test_no_entity():
    assert mark(["a", "b"], []) == [Segment("words", "a b")]


EVIL = '<script>alert("x")</script> & |'


def section():
    marked = [MarkedText(mark(["in", EVIL], [{"start": 1, "end": 2, "label": "<A>"}]), [EVIL])]
    columns = [Column("name"), Column("F1", "score"), Column("words", "marked")]
    table = Table("A table", columns, [["first", 0.5, marked], [EVIL, None, marked]], "A note.")
    heat = Table("Heat", [Column("gold"), Column("A", "heat"), Column("B", "heat")], [["A", 3, 1], ["B", 0, 0]])
    chart = BarChart("F1", ["A", EVIL], {"one": [0.5, 1.0], "two": [0.25, 0.0]})
    return Section("part", "A part", ["Some text."], [table, heat], [chart])


@pytest.fixture(scope="module")
def report():
    """Two systems, one of them with two runs."""
    chance = random.Random(3)

    def run(number):
        return [
            evaluated("0-2 A, 4-5 B", chance.choice(["0-2 A, 4-5 B", "0-1 A, 4-5 C"]), probabilities=[0.9, 0.5])
            for _ in range(number)
        ]

    return build_report([system("one", run(30), run(30)), system("two", run(30))], num_resamples=9)


def test_a_page_loads_nothing_and_shows_words_as_they_are():
    text = to_html(EVIL, [section()], ["Careful: " + EVIL])
    assert not re.search(r"(?:src|href)=[\"'](?!#)|url\(|@import|https?:", text)
    page = Page(text)
    assert page.texts("title")[0] == " ".join(EVIL.split())
    assert len(page.find("script")) == 1
    (policy,) = page.find("meta", **{"http-equiv": "Content-Security-Policy"})
    assert policy[1]["content"].startswith("default-src 'none'")
    assert page.texts("li") == ["A part", f"Careful: {EVIL}", EVIL, EVIL]
    assert page.texts("th", scope="row") == ["first", EVIL, "A", "B"]


def test_a_table():
    page = Page(to_html("Title", [section()]))
    assert page.texts("caption") == ["A table", "Heat"]
    assert page.texts("th", scope="col") == ["name", "F1", "words", "gold", "A", "B"]
    assert [(cell[1]["data-order"], cell[2]) for cell in page.find("td", **{"class": "score"})] == [
        ("0.5", "50.0"),
        ("", "–"),
    ]
    assert [cell[1]["style"] for cell in page.find("td", **{"class": "heat"})] == [
        "--share: 75.0%",
        "--share: 25.0%",
        "--share: 0.0%",
        "--share: 0.0%",
    ]
    assert page.texts("td", **{"class": "marked"})[0].startswith(f"in [{EVIL}]<A>")
    (region, _) = page.find("div", role="region")
    assert region[1]["tabindex"] == "0"
    assert {region[1]["aria-labelledby"]} <= {element[1].get("id") for element in page.elements}


def test_a_type_has_one_colour_in_the_whole_page():
    gold, predicted = [entity(0, 2, "B"), entity(1, 2, "A")], [entity(1, 2, "A")]
    cells = [[MarkedText(mark(["a", "b", "c"], entities))] for entities in (gold, predicted)]
    table = Table("Sentences", [Column("sentence"), *[Column("words", "marked")] * 2], [["1", *cells]])
    page = Page(to_html("Title", [Section("a", "A", [], [table])]))
    assert [(each[1]["class"], each[2]) for each in page.find("mark")] == [
        *(("type-0", "a"), ("type-1", "b"), ("type-1", "b"))
    ]
    assert [each[1]["class"] for each in page.find("b") if each[2] == "]A"] == ["label type-1", "label type-1"]


def test_a_chart_says_in_words_what_it_shows():
    page = Page(to_html("Title", [section()]))
    (picture,) = page.find("svg")
    ids = {element[1].get("id"): element[2] for element in page.elements}
    title, text = (ids[name] for name in picture[1]["aria-labelledby"].split())
    assert (picture[1]["role"], title) == ("img", "F1")
    assert text == f"one: A 50.0, {EVIL} 100.0; two: A 25.0, {EVIL} 0.0"
    widths = [float(bar[1]["width"]) for bar in page.find("rect") if bar[1]["width"] != "12"]
    assert widths == [150.0, 75.0, 300.0, 0.0]


def test_a_scatter_chart():
    points = [Point(EVIL, 10.0, 0.5), Point("two", 100.0, 0.54)]
    page = Page(to_html("Title", [Section("a", "A", [], [], [ScatterChart("F1 by time", "seconds", "F1", points)])]))
    assert [(float(dot[1]["cx"]), float(dot[1]["cy"])) for dot in page.find("circle")] == [(40, 212), (360, 12)]
    assert {"50", "54", "10", "100", "seconds; upwards: F1", "two"} <= {*page.texts("text")}
    assert page.texts("desc") == [f"{EVIL}: 10 seconds, F1 50.0; two: 100 seconds, F1 54.0"]


def test_a_whole_report(report):
    page = Page(to_html("Title", report_sections(report, 5), report["warnings"]))
    ids = [element[1]["id"] for element in page.elements if "id" in element[1]]
    assert len(ids) == len({*ids})
    assert {element[1]["href"].removeprefix("#") for element in page.find("a")} <= {*ids}
    assert len(page.find("figure", **{"class": "small"})) == 2 * (1 + 3)
    assert "NaN" not in str(page.elements)


def test_markdown(report):
    text = to_markdown("A *title*", [section()], ["Careful"])
    assert text.startswith("# A \\*title\\*\n\n> Careful\n\n## A part\n\nSome text.\n\n### A table\n\n| name | F1 |")
    assert "| --- | ---: | --- |\n| first | 50.0 | in \\[" in text
    assert "| A | 3 | 1 |\n| B | 0 | 0 |\n" in text and "\n\nA note.\n\n### Heat\n" in text
    whole = to_markdown("Title", report_sections(report, 5))
    assert "\n\n\n" not in whole
    for rows in re.findall(r"(?:^\|.*\n)+", whole, re.MULTILINE):
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows.splitlines()}) == 1, rows


SCRIPT = """
<script>
const field = document.querySelector("input[type=search]");
const heading = field.closest(".table").querySelectorAll("thead button")[1];
heading.click(); heading.click();
field.value = "7 SENTENCE"; field.dispatchEvent(new Event("input"));
document.querySelector(".theme").click();
</script>
"""


@pytest.mark.skipif(chromium() is None, reason="needs Chromium")
def test_sorting_searching_and_colours_in_a_browser(tmp_path):
    rows = [[f"sentence {number}", number % 10] for number in range(20)]
    page = tmp_path / "page.html"
    table = Table("Sentences", [Column("sentence"), Column("errors", "count")], rows)
    page.write_text(to_html("Title", [Section("a", "A", [], [table])]) + SCRIPT)
    command = [chromium(), "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/profile"]
    done = subprocess.run([*command, "--dump-dom", page.as_uri()], capture_output=True, text=True, timeout=120)
    found = Page(done.stdout)
    assert [attributes.get("aria-sort") for _, attributes, _ in found.find("th", scope="col")] == [None, "descending"]
    shown = [(text.split()[1], attributes) for _, attributes, text in found.find("tr") if len(text.split()) == 3]
    assert [number for number, _ in shown[:4]] == ["9", "19", "8", "18"]
    assert [number for number, attributes in shown if "hidden" not in attributes] == ["7", "17"]
    assert found.texts("span", role="status") == ["2 of 20 rows"]
    (root,) = found.find("html")
    assert root[1]["data-theme"] in ("light", "dark")
