import itertools
import json
import os
import pickle
import shutil
import subprocess
import sys

import numpy
import pytest
from helpers.archives import assert_same, sentences
from helpers.paths import ROOT
from helpers.untrained import transformer_archive
from hypothesis import given, settings, strategies as st

from nerzoo.archives import write_checksums
from nerzoo.inference.export_onnx import export_onnx
from nerzoo.inference.tagger import Tagger
from nerzoo.runtime.__main__ import main
from nerzoo.runtime.onnx_tagger import OnnxTagger
from nerzoo.text import token_batches

MARA = ["Mara", "lived", "in", "Port", "Essel", "."]
EMPTY = {"entities": [], "text": "", "words": [], "tags": []}


@pytest.fixture(scope="module")
def folder(archives, tmp_path_factory):
    return export_onnx(archives("ner"), tmp_path_factory.mktemp("onnx") / "ner")


@pytest.fixture
def copy(folder, tmp_path):
    return shutil.copytree(folder, tmp_path / "copy")


def test_predicts_without_torch_and_allennlp_in_half_a_second(folder, archives):
    """Of processor time, and leniently: the first process may have to compile what it imports."""
    source = (
        "import json, sys, time; from nerzoo.runtime import OnnxTagger\n"
        f"print(json.dumps(OnnxTagger.load({str(folder)!r}, num_threads=1)({' '.join(MARA)!r})['sentences'][0]))\n"
        "packages = {name.partition('.')[0] for name in sys.modules}\n"
        "assert not packages & {'torch', 'allennlp', 'allennlp_models', 'spacy', 'transformers', 'scipy'}, packages\n"
        "own = {name for name in sys.modules if name.startswith('nerzoo.')}\n"
        "own = {name for name in own if not name.startswith(('nerzoo.runtime', 'nerzoo.text'))}\n"
        "assert own == {'nerzoo.errors', 'nerzoo.registration', 'nerzoo.version'}, own\n"
    )
    taken = []
    for _ in range(3):
        before = os.times()
        done = subprocess.run([sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        taken.append(sum(os.times()[2:4]) - sum(before[2:4]))
    found = {name: value for name, value in json.loads(done.stdout).items() if name != "offsets"}
    expected = Tagger.load(archives("ner"), "cpu")({"words": MARA})
    assert expected.pop("text") == " ".join(MARA)
    assert_same(found, expected, 1e-4)
    assert min(taken) < 1


def test_a_transformer_is_read_without_torch_and_transformers(tmp_path):
    archive = transformer_archive(tmp_path / "archive")
    words = ["Mara", "lived", "in"] * 20
    source = (
        "import json, sys; from nerzoo.runtime import OnnxTagger\n"
        f"print(json.dumps(OnnxTagger.load({str(export_onnx(archive, tmp_path / 'onnx'))!r})({words!r})))\n"
        "assert not {'torch', 'allennlp', 'transformers'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert_same(json.loads(done.stdout), Tagger.load(archive, "cpu")({"words": words}), 1e-4)


def test_a_stream_is_read_as_it_goes(folder, monkeypatch):
    monkeypatch.setattr(token_batches, "MAX_ITEMS", 7)
    tagger = OnnxTagger.load(folder)
    read = []
    stream = tagger.predict((read.append(n) or MARA[: n % 3]) for n in itertools.count())
    assert [len(prediction["words"]) for prediction in itertools.islice(stream, 8)] == [0, 1, 2, 0, 1, 2, 0, 1]
    assert len(read) == 14
    by_tokens = OnnxTagger.load(folder, batch_tokens=1).predict(MARA[:4] for _ in range(9))
    assert len(list(by_tokens)) == 9


def test_no_more_than_16_batches_of_tokens_are_read_ahead(folder):
    read = []
    stream = OnnxTagger.load(folder, batch_tokens=5).predict(read.append(n) or MARA[:2] for n in range(300))
    next(stream)
    assert len(read) == 16 * 5 // 2
    assert len(list(stream)) == 299


def test_a_sentence_alone_and_among_others(folder):
    tagger = OnnxTagger.load(folder, num_threads=1)
    words = [sentence["words"] for sentence in sentences()]
    assert_same(list(tagger.predict(words)), list(map(tagger, words)), 1e-5)
    assert list(tagger.predict([])) == []


def test_the_text_has_the_spaces_that_are_given(folder, archives):
    sentence = {"words": MARA, "space_after": [True] * 4 + [False, True]}
    found = OnnxTagger.load(folder)(sentence)
    assert_same(found, Tagger.load(archives("ner"), "cpu")(sentence), 1e-4)
    assert found["text"] == " ".join(MARA[:-1]) + MARA[-1]
    without = OnnxTagger.load(folder)(tuple(MARA))
    assert without["text"] == " ".join(MARA)
    assert found == {**without, "entities": found["entities"], "text": found["text"]}


TEXT = "\tMara lived in Port\nEssel. “She left,” he said.\n\nDon't wake Mara!\n"


def test_a_text_is_split_into_sentences(folder, archives):
    tagger = OnnxTagger.load(folder)
    found = tagger(TEXT)
    assert found == tagger({"text": TEXT}) and list(found) == ["entities", "text", "sentences"]
    assert found["text"] == TEXT and len(found["sentences"]) == 3
    assert_same(found, Tagger.load(archives("ner"), "cpu")(TEXT), 1e-4)
    for sentence in found["sentences"]:
        alone = tagger(sentence["words"])
        assert (alone["words"], alone["tags"]) == (sentence["words"], sentence["tags"])
        for word, offset in zip(sentence["words"], sentence["offsets"], strict=True):
            assert TEXT.startswith(word, offset)
        for entity, expected in zip(sentence["entities"], alone["entities"], strict=True):
            assert TEXT[entity["start_char"] : entity["end_char"]] == entity["text"]
            assert (entity["start"], entity["end"], entity["label"]) == tuple(list(expected.values())[:3])
    assert "Mara" in [entity["text"] for entity in found["entities"]]
    by_sentence = [entity for sentence in found["sentences"] for entity in sentence["entities"]]
    without = [{key: entity[key] for key in entity if key not in ("start", "end")} for entity in by_sentence]
    assert found["entities"] == without and list(without[0])[-1] == "probability"


@pytest.mark.parametrize(
    "item", [{"text": "Mara left."}, {"sentence": "Mara left."}, {"words": ["Mara"]}, {"words": []}]
)
def test_other_keys_of_an_item_are_in_its_prediction(folder, archives, item):
    others = {"id": "a1", "source": {"page": 3}, "entities": "gold"}
    for tagger in (OnnxTagger.load(folder), Tagger.load(archives("ner"))):
        plain = tagger(dict(item))
        annotated = tagger({**item, **others, "entities": None})
        assert {**plain, "id": "a1", "source": {"page": 3}} == annotated


def test_a_sentence_stays_one(folder):
    tagger = OnnxTagger.load(folder)
    found = tagger({"sentence": TEXT})
    parts = tagger(TEXT)["sentences"]
    assert found["words"] == [word for part in parts for word in part["words"]]
    assert list(found) == ["entities", "text", "words", "tags"] and found["text"] == TEXT
    assert all(TEXT[entity["start_char"] : entity["end_char"]] == entity["text"] for entity in found["entities"])
    assert tagger({"sentence": " "}) == {**EMPTY, "text": " "}


@settings(max_examples=12, deadline=None)
@given(st.lists(st.text(), max_size=4))
def test_texts_do_not_depend_on_each_other(folder, texts):
    tagger = OnnxTagger.load(folder, num_threads=1)
    alone = [tagger(text) for text in texts]
    assert_same(list(tagger.predict(texts)), alone, 1e-4)
    joined = tagger("\n\n".join(texts))
    for name in ("words", "tags"):
        found, expected = (
            [part[name] for each in results for part in each["sentences"]] for results in ([joined], alone)
        )
        assert found == expected
    assert [e["text"] for e in joined["entities"]] == [e["text"] for text in alone for e in text["entities"]]


@pytest.mark.parametrize("text", ["", " \n", ".", "\ud800", "\x00\u200f"])
def test_a_text_of_almost_nothing(folder, text):
    found = OnnxTagger.load(folder)(text)
    assert (found["text"], found["entities"]) == (text, [])
    assert "".join(word for part in found["sentences"] for word in part["words"]) == text.strip()


@pytest.mark.parametrize("text", ["Mara " * 10_000, "w" * 1_000_000], ids=len)
def test_a_long_text_without_bounds(folder, text):
    found = OnnxTagger.load(folder, num_threads=1)(text)
    assert sum(len(word) for part in found["sentences"] for word in part["words"]) == len(text.replace(" ", ""))


@pytest.fixture(scope="module")
def document_folder(archives, tmp_path_factory):
    return export_onnx(archives("memory_ner"), tmp_path_factory.mktemp("onnx") / "memory_ner")


@pytest.mark.parametrize(
    "item",
    [
        TEXT,
        {"text": TEXT, "types": ["place"], "doc_id": 4},
        {"words": MARA, "doc_id": 4},
        {"sentence": " ", "doc_id": 4},
        {"doc_id": 4, "source": "x", "sentences": [{"sentence": TEXT, "id": 1}, {"words": []}, {"words": MARA}]},
        {"types": ["place"], "sentences": [{"words": MARA, "space_after": [False] * 6}]},
        {"doc_id": "d", "sentences": []},
    ],
)
def test_the_sentences_of_a_document_share_its_memory(document_folder, archives, item):
    tagger = OnnxTagger.load(document_folder)
    assert tagger.reads_documents
    found, expected = tagger(item), Tagger.load(archives("memory_ner"), "cpu", engine="torch")(item)
    assert_same(found, expected, 1e-4)
    assert list(found) == list(expected)
    for part, other in zip(found.get("sentences", []), expected.get("sentences", []), strict=True):
        assert list(part) == list(other)


def test_a_long_text_is_several_documents(document_folder, monkeypatch):
    tagger = OnnxTagger.load(document_folder)

    def probabilities():
        return [part["entities"][0]["probability"] for part in tagger("Mara left. " * 4)["sentences"]]

    assert len({round(probability, 5) for probability in probabilities()}) == 4
    monkeypatch.setattr("nerzoo.runtime.items.BATCH_TOKENS", 7)
    assert probabilities()[:2] == pytest.approx(probabilities()[2:], abs=1e-6)


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ({"sentences": ["Mara left."]}, "found the sentence 'Mara left.'"),
        ({"sentences": [{"text": "Mara left."}]}, "found the sentence {'text': 'Mara left.'}"),
        ({"sentences": [], "words": ["Mara"], "doc_id": []}, "found the doc_id [], expected a string or a number"),
        ({"sentences": "Mara"}, "found the sentence {'sentences': 'Mara'}"),
        ({"sentences": [{"words": MARA}], "types": "place"}, "found the types 'place', expected a list"),
    ],
)
def test_another_document_is_an_error(document_folder, expected, item):
    with pytest.raises(ValueError) as raised:
        OnnxTagger.load(document_folder)(item)
    assert str(raised.value).startswith(expected)


def test_a_model_says_how_texts_are_split(copy):
    content = json.loads((copy / "settings.json").read_text())
    assert content["splitter"] == "rules"
    (copy / "checksums.sha256").unlink()
    (copy / "settings.json").write_text(json.dumps({**content, "splitter": "lines"}))
    write_checksums(copy, copy.iterdir())
    tagger = pickle.loads(pickle.dumps(OnnxTagger.load(copy)))
    assert (tagger.splitter, tagger.folder) == ("lines", copy)
    assert len(tagger("One. Two.\nThree")["sentences"]) == 2


def test_a_long_word_loses_no_other_sentence(archives, tmp_path):
    tagger = OnnxTagger.load(export_onnx(archives("char_attention"), tmp_path / "onnx"))
    bad, good = tagger.results([["x" * 501], MARA])
    assert "found a word of 501 characters, expected 500 at most" in str(bad) and good["words"] == MARA


def test_a_word_may_have_a_space(folder, archives):
    words = ["Port Essel", "lies", "Port Essel"]
    assert_same(OnnxTagger.load(folder)(words), Tagger.load(archives("ner"), "cpu")({"words": words}), 1e-4)


@pytest.mark.parametrize(
    "item", [{"words": MARA}, {"sentence": " ".join(MARA)}, {"text": f"{' '.join(MARA)} {' '.join(MARA)}"}]
)
def test_only_types_that_are_asked_for(folder, archives, item):
    tagger = OnnxTagger.load(folder)
    everything = tagger(item)
    assert {entity["label"] for entity in everything["entities"]} == {"person"}
    given = {**item, "types": ["place"]}
    found, other = tagger.predict([given, item])
    assert other == everything and {entity["label"] for entity in found["entities"]} <= {"place"}
    expected = Tagger.load(archives("ner"), "cpu")(given)
    assert_same(found["entities"], expected["entities"], 1e-4)
    with pytest.raises(ValueError, match="found the type 'plaec', expected 'place'"):
        tagger({**item, "types": ["plaec"]})


def test_what_fails_loses_no_other_item(folder, monkeypatch):
    tagger = OnnxTagger.load(folder)
    emissions = tagger.emissions

    def fail(documents):
        if any(document[0]["words"] == ["Bad"] for document in documents):
            raise RuntimeError("no such thing")
        return emissions(documents)

    monkeypatch.setattr(tagger, "emissions", fail)
    before, error, after = tagger.results([MARA, ["Bad"], MARA])
    assert before["words"] == after["words"] == MARA and str(error) == "no such thing"
    stream = tagger.predict([MARA, ["Bad"]])
    assert next(stream)["words"] == MARA
    with pytest.raises(RuntimeError, match="no such thing") as raised:
        next(stream)
    assert raised.value.__notes__ == ["in item 1"]


def test_a_sentence_without_words(folder):
    tagger = OnnxTagger.load(folder)
    assert tagger([]) == tagger({"words": []}) == EMPTY
    assert [prediction["words"] for prediction in tagger.predict([[], MARA, []])] == [[], MARA, []]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ({"words": ["Mara"], "text": "Mara"}, "expected a text, {"),
        ({"sentence": 5}, "found the sentence {'sentence': 5}, expected a text, {"),
        ({}, "found the sentence {}"),
        (["Mara", ""], "none of them empty"),
        (["Mara", 1], "a list of words, none of them empty"),
        (None, "found the sentence None"),
        ({"words": ["Mara"], "space_after": [1]}, "found the space_after [1], expected a list of 1, one bool a word"),
        ({"words": ["Mara"], "space_after": True}, "found the space_after True"),
        ({"words": ["Mara"], "pos": ["X", "Y"]}, "found the pos ['X', 'Y'], expected a list of 1, one str a word"),
        ({"words": ["Mara"], "heads": [True]}, "found the heads [True], expected a list of 1, one int a word"),
        (
            {"words": ["Mara"], "dep_labels": "root"},
            "found the dep_labels 'root', expected a list of 1, one str a word",
        ),
        ({"words": ["Mara"], "types": "PER"}, "found the types 'PER', expected a list of types of entities"),
    ],
)
def test_another_input_is_an_error(folder, sentence, expected):
    tagger = OnnxTagger.load(folder)
    with pytest.raises(ValueError) as raised:
        tagger(sentence)
    assert expected in str(raised.value)
    given = tagger.predict([MARA, sentence, MARA])
    assert next(given)["words"] == MARA
    with pytest.raises(ValueError, match="item 1: found"):
        next(given)


@pytest.mark.parametrize("name", ["tokens.npy", "settings.json", "emissions.onnx"])
def test_a_damaged_or_missing_file_is_named(copy, name):
    content = bytearray((copy / name).read_bytes())
    content[-2] ^= 1
    (copy / name).write_bytes(content)
    if name != "settings.json":
        with pytest.raises(ValueError, match=f"{name}: found another content than was exported, see checksums.sha256"):
            OnnxTagger.load(copy)
    (copy / name).unlink()
    with pytest.raises(ValueError, match=rf"{name}: found no file that can be read \(No such file.*export-onnx"):
        OnnxTagger.load(copy)


def test_settings_that_were_changed(copy):
    text = (copy / "settings.json").read_text()
    (copy / "settings.json").write_text(text.replace('"tags"', '"tagt"'))
    with pytest.raises(ValueError, match="settings.json: found another content than was exported"):
        OnnxTagger.load(copy)


def test_a_graph_that_is_none_is_named(copy):
    (copy / "checksums.sha256").unlink()
    (copy / "emissions.onnx").write_bytes(b"x")
    write_checksums(copy, copy.iterdir())
    with pytest.raises(ValueError, match="emissions.onnx: found a file that ONNX Runtime cannot load"):
        OnnxTagger.load(copy)


@pytest.mark.parametrize("settings", ['{"format": 1}', "[]", "{}"])
def test_another_format_is_named(copy, settings):
    (copy / "settings.json").write_text(settings)
    with pytest.raises(ValueError, match="found the format (1|None), expected 4, which this release"):
        OnnxTagger.load(copy)


def test_a_folder_of_something_else_is_named(copy):
    (copy / "settings.json").write_text("{")
    with pytest.raises(ValueError, match="settings.json: found no JSON .* expected a folder that `nerzoo export"):
        OnnxTagger.load(copy)


def test_batches_have_tokens(folder):
    with pytest.raises(ValueError, match="batch_tokens must be positive, found 0"):
        OnnxTagger.load(folder, batch_tokens=0)


def test_a_missing_package_is_named(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(ImportError, match="pip install onnxruntime"):
        OnnxTagger.load(folder)


def test_the_command_reads_and_writes_json_lines(folder, tmp_path, capsys):
    path = tmp_path / "input.jsonl"
    path.write_text("\ufeff" + json.dumps(MARA) + "\n\n" + json.dumps({"words": MARA[:2]}) + "\n[]\n")
    main([str(folder), str(path), "--threads", "1"])
    lines = capsys.readouterr().out.splitlines()
    tagger = OnnxTagger.load(folder)
    assert_same([json.loads(line) for line in lines], list(tagger.predict([MARA, MARA[:2], []])))


def test_the_command_says_what_is_wrong(folder, tmp_path, capsys):
    path = tmp_path / "input.jsonl"
    path.write_text("[]\nMara\n")
    with pytest.raises(SystemExit, match="line 2: found 'Mara'"):
        main([str(folder), str(path)])
    with pytest.raises(SystemExit, match="expected a folder that"):
        main([str(tmp_path), str(path)])


def test_transitions_are_as_large_as_the_tags(folder):
    content = json.loads((folder / "settings.json").read_text())
    assert numpy.load(folder / "transitions.npy").shape == (len(content["tags"]) + 2,) * 2
