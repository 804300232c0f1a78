"""What `OnnxTagger` does before and after the graph, with one that looks scores up. No model is trained for it."""

import io
import itertools
import json
from types import SimpleNamespace

import numpy
import pytest
from scipy.special import softmax

from nerzoo.runtime import onnx_tagger
from nerzoo.runtime.__main__ import main
from nerzoo.runtime.onnx_tagger import OnnxTagger
from nerzoo.text import token_batches


class Lookup:
    """In place of the graph: the scores of a word's tags are its vector."""

    def __init__(self):
        self.masks, self.num_words = [], []

    def get_inputs(self):
        return [SimpleNamespace(name=name) for name in ("rows", "mask", "tokens")]

    def run(self, names, inputs):
        self.masks.append(inputs["mask"].tolist())
        self.num_words.append(len(inputs["tokens"]))
        return [inputs["tokens"][inputs["rows"]]]


BIO, BIOUL = ["O", "B-X", "I-X"], ["O", "B-X", "I-X", "L-X", "U-X"]
# Each word is named as the tag that its scores are highest for.
SCORES = numpy.random.default_rng(5).random((5, 5)).astype(numpy.float16) + 3 * numpy.eye(5, dtype=numpy.float16)


@pytest.fixture
def lookup(tmp_path, monkeypatch):
    """Makes a folder whose graph is a `Lookup`, which stands beside it."""

    def make(tags, coding_scheme):
        words = {"name": "tokens", "type": "words", "zero_digits": False, "lowercase": False}
        words.update(unknown=0, unknown_capitalized=None)
        settings = {"format": 4, "inputs": [words], "tags": tags, "coding_scheme": coding_scheme, "temperature": 2.0}
        (tmp_path / "settings.json").write_text(json.dumps(settings))
        (tmp_path / "tokens.vocabulary.json").write_text(json.dumps(tags))
        numpy.save(tmp_path / "tokens.npy", SCORES[: len(tags), : len(tags)])
        numpy.save(tmp_path / "transitions.npy", numpy.zeros((len(tags) + 2,) * 2, numpy.float32))
        (tmp_path / "checksums.sha256").touch()
        graph = Lookup()
        monkeypatch.setattr(onnx_tagger, "load_graph", lambda path, num_threads: graph)
        return tmp_path, graph

    return make


def test_batches_are_of_similar_lengths_and_predictions_in_order(lookup):
    folder, graph = lookup(BIO, "BIO")
    given = [["O", "B-X", "I-X"], [], ["O"], ["B-X", "B-X", "O", "O", "B-X"], ["I-X", "I-X"]]
    found = list(OnnxTagger.load(folder, batch_tokens=6).predict(given))
    assert [prediction["words"] for prediction in found] == given
    assert [prediction["tags"] for prediction in found] == given
    assert graph.masks == [[[True] * 5], [[True] * 3, [True, True, False]], [[True]]]
    # Those of a batch that differ.
    assert graph.num_words == [2, 3, 1]


def test_as_many_tokens_are_read_ahead_as_a_window_has(lookup, monkeypatch):
    monkeypatch.setattr(token_batches, "NUM_BATCHES", 2)
    folder, _ = lookup(BIO, "BIO")
    read = []
    stream = OnnxTagger.load(folder, batch_tokens=3).predict(read.append(n) or ["O", "O"] for n in itertools.count())
    given = []
    for _ in range(4):
        next(stream)
        given.append(len(read))
    assert given == [3, 3, 3, 6]


@pytest.mark.parametrize("words", [["B-X", "I-X", "O"], ["O", "B-X"], ["B-X", "I-X", "B-X", "I-X"]])
def test_an_entity_has_the_probability_of_its_tags_and_its_end(lookup, words):
    folder, _ = lookup(BIO, "BIO")
    probabilities = softmax(SCORES[:3, :3].astype(float) / 2, axis=1)
    tags = [BIO.index(word) for word in words]
    entities = OnnxTagger.load(folder)(words)["entities"]
    assert [entity["start"] for entity in entities] == [place for place, word in enumerate(words) if word == "B-X"]
    for entity in entities:
        inside = tags[entity["start"] : entity["end"]]
        following = tags[entity["end"] : entity["end"] + 1]
        expected = numpy.prod([probabilities[tag, tag] for tag in inside])
        expected *= numpy.prod([1 - probabilities[tag, BIO.index("I-X")] for tag in following])
        assert entity["probability"] == pytest.approx(expected, rel=1e-4)


def test_an_entity_of_bioul_ends_by_its_own_tag(lookup):
    folder, _ = lookup(BIOUL, "BIOUL")
    probabilities = softmax(SCORES.astype(float) / 2, axis=1).diagonal()
    first, second = OnnxTagger.load(folder)(["U-X", "B-X", "L-X", "O"])["entities"]
    assert (first["start"], first["end"], second["start"], second["end"]) == (0, 1, 1, 3)
    assert first["probability"] == pytest.approx(probabilities[4], rel=1e-4)
    assert second["probability"] == pytest.approx(probabilities[1] * probabilities[3], rel=1e-4)


def test_nothing_prolongs_an_entity_of_a_label_without_inner_tags(lookup):
    folder, _ = lookup(BIO[:2], "BIO")
    probability = softmax(SCORES[1, :2].astype(float) / 2)[1]
    for entity in OnnxTagger.load(folder)(["B-X", "B-X", "O"])["entities"]:
        assert entity["probability"] == pytest.approx(probability, rel=1e-4)


def test_tags_that_are_no_entities_stand_alone(lookup):
    folder, _ = lookup(BIO, None)
    assert OnnxTagger.load(folder)(["B-X", "O"]) == {"text": "B-X O", "words": ["B-X", "O"], "tags": ["B-X", "O"]}


@pytest.mark.parametrize("sentence", [5, ["O", ""], ["O", 1], {"words": ["O"], "space_after": [1]}])
def test_what_is_no_sentence_comes_after_all_before_it(lookup, sentence):
    folder, _ = lookup(BIO, "BIO")
    stream = OnnxTagger.load(folder, batch_tokens=1).predict([[], ["O"], sentence, ["O"]])
    assert next(stream) == {"entities": [], "text": "", "words": [], "tags": []}
    assert next(stream)["tags"] == ["O"]
    with pytest.raises(ValueError, match="item 2: found"):
        next(stream)


def test_characters_of_entities_are_those_of_the_text(lookup):
    folder, _ = lookup(BIO, "BIO")
    tagger = OnnxTagger.load(folder)
    (entity,) = tagger({"words": ["O", "B-X", "I-X", "O"], "space_after": [True, False, True, True]})["entities"]
    assert (entity["start_char"], entity["end_char"], entity["text"]) == (2, 8, "B-XI-X")
    (entity,) = tagger(("O", "B-X", "I-X"))["entities"]
    assert (entity["start_char"], entity["end_char"], entity["text"]) == (2, 9, "B-X I-X")


def test_the_command_tags_a_file_or_the_standard_input(lookup, tmp_path, monkeypatch, capsys):
    folder, _ = lookup(BIO, "BIO")
    lines = '["O", "B-X"]\n{"words": []}\n'
    (tmp_path / "input.jsonl").write_text(lines)
    main([str(folder), str(tmp_path / "input.jsonl")])
    of_file = capsys.readouterr().out
    assert [json.loads(line)["tags"] for line in of_file.splitlines()] == [["O", "B-X"], []]
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))
    main([str(folder)])
    assert capsys.readouterr().out == of_file
