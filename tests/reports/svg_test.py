from xml.etree import ElementTree

from nerzoo.reports.svg import NUM_TYPES, STYLE, Picture, element, group, label, svg, to_text

NAMESPACE = "{http://www.w3.org/2000/svg}"


def test_elements():
    made = element("rect", "shade", title="a <b>", x=1 / 3, fill_opacity=1)
    assert made.attrib == {"class": "shade", "x": "0.3333", "fill-opacity": "1"}
    assert made.find("title").text == "a <b>"
    assert element("text", text="a").text == "a"
    assert group([made], 1, 2).get("transform") == "translate(1 2)"
    assert "transform" not in group([made]).attrib


def test_a_file_is_xml_with_a_title_a_description_and_its_texts():
    pictures = [Picture(f"{n} & 1", f"<{n}>", 400 + n, 50, [label('a < b & "c"', 1, 2)]) for n in range(2)]
    root = ElementTree.fromstring(to_text(svg(pictures)))
    assert root.find(f"{NAMESPACE}title").text == "0 & 1; 1 & 1"
    assert root.find(f"{NAMESPACE}desc").text == "<0> <1>"
    assert root.get("role") == "img"
    assert [text.text for text in root.iter(f"{NAMESPACE}text")] == ["0 & 1", 'a < b & "c"', "1 & 1", 'a < b & "c"']
    assert float(root.get("width")) > 401
    assert "prefers-color-scheme: dark" in root.find(f"{NAMESPACE}style").text
    assert svg(pictures, with_style=False).find("style") is None


def test_each_type_has_a_colour_in_light_and_in_dark():
    for number in range(NUM_TYPES):
        assert STYLE.count(f".type-{number} ") == 2
