"""The command `init`: the system that it chooses for a corpus, and a configuration that trains."""

import json

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.commands import nerzoo
from helpers.paths import FIXTURES

from nerzoo.configuration.check import read_configuration

NESTED = [{"start": 0, "end": 3, "label": "ORG"}, {"start": 2, "end": 3, "label": "LOC"}]


def written(tmp_path, *args):
    """Runs `init` and returns the configuration that it writes, as the trainer reads it."""
    path = tmp_path / "mine.jsonnet"
    nerzoo("init", *args, "--output-file", path)
    return read_configuration(path)


@pytest.fixture
def jsonl(tmp_path):
    """Writes a file of sentences, each with its entities."""

    def write(*sentences):
        path = tmp_path / "data.jsonl"
        path.write_text("".join(json.dumps(sentence) + "\n" for sentence in sentences))
        return path

    return write


def test_a_tagger_for_flat_entities_trains_as_it_is(tmp_path, capsys):
    parts = [FIXTURES / f"people_and_places/{part}.txt" for part in ("train", "dev")]
    config = written(tmp_path, *parts)
    assert config["model"]["type"] == "sequence_tagger" and config["model"]["encoder"]["hidden_size"] == 200
    assert config["trainer"]["num_epochs"] == 50 and config["train_data_path"] == str(parts[0])
    assert "no entity is inside another: a tagger" in capsys.readouterr().out
    source = (tmp_path / "mine.jsonnet").read_text()
    assert "import " not in source and "epochs:: 50" in source
    nerzoo("train", tmp_path / "mine.jsonnet", "--set", "hidden_size=3", "--set", "epochs=1", "-s", tmp_path / "out")
    assert (tmp_path / "out/model.tar.gz").exists()


def test_trees_for_accuracy_alone(tmp_path):
    parts = [FIXTURES / f"people_and_places/{part}.conllu" for part in ("train", "dev")]
    config = written(tmp_path, *parts)
    assert set(config["dataset_reader"]["token_indexers"]) == {"tokens", "characters", "pos", "dep"}
    assert config["dataset_reader"]["parser"]["treebank"] == "train_data_path"
    (tmp_path / "mine.jsonnet").unlink()
    config = written(tmp_path, *parts, "--goal", "speed")
    assert set(config["dataset_reader"]["token_indexers"]) == {"tokens", "characters", "lexical_features"}
    assert config["model"]["encoder"]["hidden_size"] == 100 and config["trainer"]["num_epochs"] == 25


@pytest.mark.parametrize("goal, size", [("accuracy", 512), ("speed", 256)])
def test_nested_entities(goal, size, tmp_path, jsonl, capsys):
    # One of 51 entities has ten words, and may be left out.
    long = {"words": ["a"] * 10, "entities": [{"start": 0, "end": 10, "label": "ORG"}]}
    path = jsonl(*[{"words": ["Bank", "of", "Spain"], "entities": NESTED}] * 25, long)
    config = written(tmp_path, path, path, "--goal", goal)
    assert config["model"]["type"] == "fofe_ner" and config["model"]["feedforward"]["hidden_dims"] == size
    assert config["dataset_reader"]["max_length"] == 3 and len(config["model"]["decoder"]["levels"]) == 2
    assert "max_length = 3  2.0 % of the entities are longer" in capsys.readouterr().out


def test_reads_the_vectors_of_a_file(tmp_path, jsonl):
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("spain 0.1 0.2 0.3\nof 0 1 0\n")
    path = jsonl({"words": ["Spain"], "entities": [{"start": 0, "end": 1, "label": "LOC"}]})
    embedder = written(tmp_path, path, path, "--vectors", vectors)["model"]["text_field_embedder"]["token_embedders"]
    assert (embedder["tokens"]["pretrained_file"], embedder["tokens"]["embedding_dim"]) == (str(vectors), 3)
    vectors.write_text("spain\n")
    (tmp_path / "mine.jsonnet").unlink()
    with pytest.raises(ConfigurationError, match="vectors.txt: found no word vectors"):
        written(tmp_path, path, path, "--vectors", vectors)


def test_attention_to_characters_for_tags_and_parts_of_speech(tmp_path, jsonl):
    path = jsonl({"words": ["a", "b"], "pos": ["X", "Y"], "entities": []})
    assert written(tmp_path, path, path)["dataset_reader"]["tags_from"] == "pos"
    (tmp_path / "mine.jsonnet").unlink()
    folder = FIXTURES / "error_detection"
    corpus = '{"type": "columns", "coding_scheme": null}'
    config = written(tmp_path, folder / "train.tsv", folder / "dev.tsv", "--corpus", corpus)
    assert config["trainer"]["validation_metric"] == "+accuracy" and "tags_from" not in config["dataset_reader"]


def test_threads(tmp_path):
    config = written(tmp_path, FIXTURES / "threads/train.jsonl", FIXTURES / "threads/dev.jsonl")
    assert config["model"]["type"] == "thread_tagger" and config["dataset_reader"]["corpus"]["type"] == "jsonl"
    (tmp_path / "mine.jsonnet").unlink()
    with pytest.raises(ConfigurationError, match="found the format 'none', expected one of"):
        written(tmp_path, FIXTURES / "threads/train.jsonl", FIXTURES / "threads/dev.jsonl", "--corpus", "none")


def test_nothing_to_learn(tmp_path, jsonl):
    path = jsonl({"words": ["a"]})
    with pytest.raises(ConfigurationError, match="found training data without entities, tags and parts"):
        written(tmp_path, path, path)
    path.write_text("")
    with pytest.raises(ConfigurationError, match="data.jsonl: found no sentence"):
        written(tmp_path, path, path)


def test_an_output_that_exists(tmp_path):
    (tmp_path / "mine.jsonnet").touch()
    with pytest.raises(ConfigurationError, match="mine.jsonnet: found an output that exists"):
        written(tmp_path, "no_file", "no_file")
