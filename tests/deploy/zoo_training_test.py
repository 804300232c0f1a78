"""The way from a trained archive, in place of a training, to a folder of the zoo."""

import json
import shutil
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.commands import nerzoo
from helpers.paths import CONFIGS, FIXTURES

from nerzoo.deploy import zoo_training
from nerzoo.deploy.zoo_training import train_zoo_model, zoo_model_scores
from nerzoo.evaluation.thresholds import THRESHOLDS
from nerzoo.zoo.tagger import Tagger

FILES = FIXTURES / "people_and_places"
CORPUS = {"title": "a corpus", "licence": "CC0", "authors": "us", "source": "here"}
RECIPE = {"description": "names", "languages": ["en"], "corpora": ["test"], "limits": ["It is small."]}


@pytest.fixture
def zoo(tmp_path, monkeypatch):
    """Trains with a main job's archive: `zoo(job, **recipe)` returns the card and the folder."""
    monkeypatch.setattr(zoo_training, "CONFIGURATIONS", tmp_path)
    monkeypatch.setattr(zoo_training, "train_model", lambda *_, **__: pytest.fail("trained again"))

    def make(archive, job, config="", **recipe):
        paths = {part: json.dumps(str(FILES / f"{part}.{recipe.pop(part)}")) for part in ("train", "dev")}
        changes = f"{{ train_data_path: {paths['train']}, validation_data_path: {paths['dev']} }}"
        (tmp_path / "small.jsonnet").write_text(f"(import '{CONFIGS}/{job}.jsonnet') + {changes} {config}")
        cards = {"models": {"small": {**RECIPE, **recipe}}, "corpora": {"test": CORPUS}}
        (tmp_path / "cards.libsonnet").write_text(json.dumps(cards))
        (tmp_path / "training").mkdir()
        shutil.copy(archive, tmp_path / "training/model.tar.gz")
        folder = tmp_path / "small"
        nerzoo("zoo", "train", "small", "--data", FILES, "-s", tmp_path / "training", "--output", folder)
        return json.loads((folder / "card.json").read_text()), folder

    return make


def test_an_exported_tagger(zoo, archives):
    card, folder = zoo(archives("ner"), "ner", train="txt", dev="txt", tests={"test": "test.txt"}, exported=True)
    scores = card["tests"]["test"]
    low, high = scores["f1_interval"]
    assert low < scores["f1"] < high and card["score"] == f"F1 {100 * scores['f1']:.1f}"
    assert {*scores["types"]} == {"person", "place", "organization"}
    assert sum(row["gold"] for row in scores["types"].values()) == scores["gold"]
    assert card["bytes"] > 10_000 and card["words_per_second"] > 0
    again = zoo_model_scores("small", folder, FILES)["test"]
    assert again.pop("seconds") > 0 and again == scores
    first = zoo_model_scores("small", folder, FILES, most=5)["test"]
    assert first["sentences"] == 5 and first["gold"] < scores["gold"]
    page = (folder / "README.md").read_text()
    assert "| all |" in page and "- It is small." in page and "us; CC0; here" in page
    assert Tagger.load(folder)({"words": ["Mara", "Quill", "lived", "in", "Calder", "."]})["entities"]


def test_span_models_get_tuned_thresholds(zoo, archives, tmp_path):
    card, folder = zoo(archives("fofe_ner"), "fofe_ner", train="conllu", dev="conllu", tests={"test": "test.conllu"})
    (level,) = json.loads((folder / "config.json").read_text())["model"]["decoder"]["levels"]
    assert level["threshold"] in THRESHOLDS and (tmp_path / "training/tuned/model.tar.gz").exists()
    assert 0 < card["tests"]["test"]["f1"] < 1


def test_a_published_tagger_of_documents(zoo, archives):
    archive = archives("memory_ner")
    card, folder = zoo(archive, "memory_ner", train="conllu", dev="conllu", tests={"test": "test.conllu"})
    assert (folder / "model.safetensors").exists() and (folder / "vocabulary").is_dir()
    assert 0 <= card["tests"]["test"]["f1"] <= 1


def test_parts_of_speech(zoo, archives):
    archive = archives("seq2biseq")
    card, folder = zoo(archive, "seq2biseq", train="conllu", dev="conllu", tests={"test": "test.conllu"})
    accuracy = card["tests"]["test"]["accuracy"]
    assert 0.2 < accuracy < 1 and card["score"] == f"accuracy {100 * accuracy:.1f}"
    assert f"accuracy {100 * accuracy:.1f}, 95 % interval " in (folder / "README.md").read_text()


@pytest.mark.parametrize("name, has_vectors", [("en", True), ("xx", False)])
def test_vectors_are_for_models_whose_card_names_them(name, has_vectors, tmp_path, monkeypatch):
    for variable in ("DATA", "SEED", "WORD_VECTORS"):
        monkeypatch.setenv(variable, "")
    trained = []
    monkeypatch.setattr(zoo_training, "train_model", lambda params, *_, **__: trained.append(params))
    # There is no archive.
    with pytest.raises(FileNotFoundError):
        train_zoo_model(name, FILES, tmp_path / "training", tmp_path / "new", vectors="vectors.txt")
    assert ("pretrained_files" in trained[0]["vocabulary"]) == has_vectors


def test_an_unknown_name(tmp_path):
    with pytest.raises(ConfigurationError, match="found the model 'fr', expected one of en, "):
        train_zoo_model("fr", FILES, tmp_path / "training", tmp_path / "new")


def test_each_configuration_of_the_zoo_has_a_card():
    from nerzoo.configuration.check import read_configuration

    cards = read_configuration(CONFIGS / "zoo/cards.libsonnet").as_dict(quiet=True)
    names = {path.stem for path in (CONFIGS / "zoo").glob("*.jsonnet")}
    assert names == {*cards["models"]}
    for recipe in cards["models"].values():
        assert {*recipe["corpora"], *recipe.get("tests", {})} <= {*cards["corpora"]}


def test_the_paths_in_a_configuration_are_relative(tmp_path, monkeypatch):
    monkeypatch.setattr(zoo_training, "CONFIGURATIONS", tmp_path)
    for name in ("DATA", "SEED", "WORD_VECTORS"):
        monkeypatch.setenv(name, "")
    paths = "{ train_data_path: std.extVar('DATA') + '/train.txt', validation_data_path: std.extVar('WORD_VECTORS') }"
    (tmp_path / "small.jsonnet").write_text(f"(import '{CONFIGS}/ner.jsonnet') + {paths}")
    vectors = tmp_path / "vectors.txt"
    params = zoo_training._configuration("small", {"corpora": ["glove"]}, tmp_path / "data", 1, vectors)
    found = [Path(params["train_data_path"]), Path(params["validation_data_path"])]
    assert not any(map(Path.is_absolute, found))
    assert [path.resolve() for path in found] == [tmp_path / "data/train.txt", vectors]
