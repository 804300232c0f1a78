import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.archives import inputs
from helpers.drawings import SENTENCE, THREAD, WEIGHTS, prediction

from nerzoo.inference.tagger import Tagger
from nerzoo.reports.attention_drawings import targets
from nerzoo.reports.draw import DRAWINGS, draw, pictures

# Of each main job the extra outputs, and what is drawn.
OF_JOBS = {
    "ner": ([], ["Entities"]),
    "deptree_ner": (["attention"], ["Entities", "Attention of", "Attention, row", "Global attention"]),
    "memory_ner": (["attention"], ["Entities", "Memory of"]),
    "thread_structure": (["attention"], ["Links", "Attention of posts"]),
    "fofe_ner": ([], ["Entities"]),
    "char_attention": (["gate", "gate_features"], ["Entities", "Gate: ", "Gate by feature"]),
    "seq2biseq": (["backward_tags", "probabilities"], ["Decoders"]),
}


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "predictions.jsonl"
    prediction(path, {"words": []}, {**SENTENCE, "relative_attention": WEIGHTS}, {**SENTENCE, "words": [*"abcd"]})
    return str(path)


@pytest.mark.parametrize("job", OF_JOBS)
def test_predictions_of_each_model_are_drawn(archives, job, tmp_path):
    extra_outputs, titles = OF_JOBS[job]
    overrides = {"model.extra_outputs": extra_outputs} if extra_outputs else None
    tagger = Tagger.load(archives(job), device="cpu", overrides=overrides)
    found = tagger(inputs(job)[0])
    (tmp_path / "p.jsonl").write_text(json.dumps(found))
    draw(str(tmp_path / "p.jsonl"), [1], tmp_path / "p.svg")
    root = ElementTree.parse(tmp_path / "p.svg").getroot()
    drawn = root.find("{http://www.w3.org/2000/svg}title").text.split("; ")
    drawn = [title for title in drawn if not title.startswith(("largest", "as "))]
    assert len(drawn) == len(titles)
    for title, start in zip(drawn, titles, strict=True):
        assert title.startswith(start)
    if job == "deptree_ner":
        assert {name: found[name] for name in ("pos", "heads", "dep_labels")} == {
            name: inputs(job)[0][name] for name in ("pos", "heads", "dep_labels")
        }


def test_several_sentences_are_a_page(path, tmp_path):
    output = tmp_path / "p.html"
    draw(path, [3, 2], output)
    page = output.read_text()
    parser = HTMLParser()
    tags, texts = [], []
    parser.handle_starttag = lambda tag, attributes: tags.append(tag)
    parser.handle_data = texts.append
    parser.feed(page)
    assert tags.count("svg") == 2
    assert tags.count("style") == 1
    assert [text for text in texts if text.startswith(("3. ", "2. "))] == ["3. a b c d", "2. Mara <b>& in Lindow"]
    assert "<b>" not in page
    assert 'name="viewport"' in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_types_of_several_sentences_have_the_same_colours(tmp_path):
    spans = [{"start": start, "end": start + 1, "label": label} for start, label in enumerate("ABC")]
    lines = [{"words": ["a", "b", "c"], "entities": spans}, {"words": ["a", "b", "c"], "entities": spans[1:]}]
    prediction(tmp_path / "predictions.jsonl", *lines)
    draw(str(tmp_path / "predictions.jsonl"), [1, 2], tmp_path / "p.html")
    boxes = re.findall(r'<rect class="(type-\d+)"', (tmp_path / "p.html").read_text())
    assert boxes == ["type-0", "type-1", "type-2", "type-1", "type-2"]


def test_attention_that_has_no_effect_is_drawn_with_a_warning(tmp_path, caplog):
    path, weights = tmp_path / "predictions.jsonl", {**SENTENCE, "global_attention": WEIGHTS[0]}
    prediction(path, weights, {**weights, "without_effect": ["global_attention"]})
    draw(str(path), [1], tmp_path / "p.svg")
    draw(str(path), [1, 2], tmp_path / "p.html", ["entities"])
    assert not caplog.records
    draw(str(path), [1, 2], tmp_path / "p.html")
    assert [record.message.partition(":")[2] for record in caplog.records] == [
        " the weights of global_attention have no effect on these predictions and may be those that it was initialised "
        "with: it is in a residual connection and a normalisation. Train with another `norm` of the encoder."
    ]


def test_only_what_is_asked_for(path, tmp_path):
    draw(path, [2], tmp_path / "p.svg", ["relative_attention"])
    assert "Entities" not in (tmp_path / "p.svg").read_text()


@pytest.mark.parametrize(
    "numbers, output, expected",
    [
        ([4], "p.svg", "predictions.jsonl: found no sentence 4, expected a number from 1 to 3"),
        ([0], "p.svg", "found no sentence 0, expected a number from 1 to 3"),
        ([1], "p.svg", "predictions.jsonl:1: found a sentence without words"),
        ([2, 3], "p.svg", "p.svg: found 2 sentences for one SVG, expected one, or \\*.html"),
        ([2], "p.png", "p.png: found the ending '.png', expected .svg or .html"),
    ],
)
def test_what_cannot_be_drawn(path, tmp_path, numbers, output, expected):
    with pytest.raises(ConfigurationError, match=expected):
        draw(path, numbers, tmp_path / output)
    assert not (tmp_path / output).exists()


@pytest.mark.parametrize("name", [name for name, drawing in DRAWINGS.items() if drawing.extra_output])
def test_the_extra_output_that_is_missing_is_named(tmp_path, name):
    found = prediction(tmp_path / "p.jsonl", THREAD if name == "link_attention" else SENTENCE)
    output = DRAWINGS[name].extra_output
    expected = f"found no {DRAWINGS[name].reads}, expected the extra output {output}: nerzoo predict ARCHIVE INPUT"
    with pytest.raises(ConfigurationError, match=expected) as error:
        pictures(found, [name])
    assert str(error.value).endswith(f"""-o '{{"model.extra_outputs": ["{output}"]}}'""")


def test_what_no_extra_output_gives(tmp_path):
    with pytest.raises(ConfigurationError, match="found no posts, expected predictions of a model that gives them"):
        pictures(prediction(tmp_path / "p.jsonl"), ["links"])


LINKED = "found the post {.*}, expected a link to a post of the thread, or null, with link_probability"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"id": 5}, "found the post {.*}, expected one with an id, a string"),
        ({"link": "d"}, LINKED),
        ({"link": ["a"]}, LINKED),
        ({"link_probability": None}, LINKED),
        ({"act_probability": "1"}, LINKED),
        ({"gold_links": True}, "found the gold_links True, expected a list"),
        ({"attention": []}, "found the attention .*, expected a list of weights on at most 4 posts, the head among"),
        ({"attention": [0.2] * 5}, "found the attention .*, expected a list of weights on at most 4 posts, the head"),
    ],
)
def test_posts_that_cannot_be_drawn(tmp_path, changes, message):
    thread = {**THREAD, "posts": [*THREAD["posts"][:2], {**THREAD["posts"][2], **changes}]}
    with pytest.raises(ConfigurationError, match=f"p.jsonl:1: {message}"):
        prediction(tmp_path / "p.jsonl", thread)


@pytest.mark.parametrize("posts", [[], None, 5, [{"id": "a", "context": True}]])
def test_a_thread_without_posts(tmp_path, posts):
    with pytest.raises(ConfigurationError, match="p.jsonl:1: found no posts, expected those of a thread, with links"):
        prediction(tmp_path / "p.jsonl", {"words": [], "posts": posts})


def test_nothing_to_draw(tmp_path):
    found = prediction(tmp_path / "p.jsonl", {"words": ["a"], "tags": ["NN"]})
    expected = "found nothing to draw, expected one of the extra outputs attention, gate, gate_features, backward_tags"
    with pytest.raises(ConfigurationError, match=expected):
        pictures(found)


@pytest.mark.parametrize(
    "attention, kind",
    [
        ([[0.0, 1.0], [1.0, 0.0]], "relative_attention"),
        ([0.5, 0.5], "global_attention"),
        ([[{"position": 0, "word": "a", "weight": 1.0}], []], "memory"),
    ],
)
def test_attention_is_called_by_what_it_is(tmp_path, attention, kind):
    found = prediction(tmp_path / "p.jsonl", {"words": ["a", "b"], "attention": attention})
    assert found.outputs[kind] == attention
    assert "attention" not in found.outputs


def test_whose_attention_is_drawn(tmp_path):
    assert targets(prediction(tmp_path / "p.jsonl")) == [0, 3]
    assert targets(prediction(tmp_path / "p.jsonl", entities=[])) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    "values, expected",
    [
        ({"gate": [0.1]}, "found the gate of 1 words, expected one for each of 4 words"),
        ({"backward_tags": 3}, "found the backward_tags of no words, expected one for each of 4"),
        ({"relative_attention": [[1.0]] * 4}, r"found weights \[1.0\] of a word, expected one for each of 4 words"),
        ({"attention": [[]] * 3}, "found the memory of 3 words, expected one for each of 4 words"),
        ({"words": "Mara"}, "found the words 'Mara', expected a list"),
    ],
)
def test_what_does_not_fit_the_words(tmp_path, values, expected):
    with pytest.raises(ConfigurationError, match=f"p.jsonl:1: {expected}"):
        prediction(tmp_path / "p.jsonl", {**SENTENCE, **values})
