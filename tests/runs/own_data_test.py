"""`nerzoo train --train`: files of one's own in place of the data of a configuration."""

import json

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from helpers.commands import nerzoo
from helpers.paths import FIXTURES

from nerzoo.runs.train_options import own_data

CONFIG = {"dataset_reader": {"corpus": {"type": "columns"}}, "validation_dataset_reader": {"corpus": "conllu"}}


def sentence(word, label):
    return json.dumps({"words": [word], "entities": [{"start": 0, "end": 1, "label": label}]}) + "\n"


def test_a_tenth_is_development_data(tmp_path):
    path = tmp_path / "all.jsonl"
    path.write_text("".join(sentence(f"w{number}", "LOC") for number in range(30)))
    found = own_data(Params(CONFIG), str(path), None, {"type": "jsonl"})
    divided = {"type": "divided", "corpus": {"type": "jsonl"}}
    assert found.overrides == {
        "train_data_path": f"{path}#train",
        "validation_data_path": f"{path}#dev",
        "dataset_reader.corpus": divided,
        "validation_dataset_reader.corpus": divided,
    }
    assert found.description[0] == f"{path} is read as jsonl."
    assert "27 sentences, 27 words; LOC 27" in found.description[2] and "3 sentences" in found.description[3]


def test_types_that_one_part_has_alone(tmp_path):
    train, dev = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    train.write_text(sentence("x", "LOC") + sentence("y", "ORG"))
    dev.write_text(sentence("x", "LOC") + sentence("z", "SEA"))
    found = own_data(Params(CONFIG), str(train), str(dev), {"type": "jsonl"})
    assert found.description[-2:] == ["Only the training data has ORG.", "Only the development data has SEA."]


def test_trains_on_a_file_of_columns(tmp_path, capsys):
    file = FIXTURES / "people_and_places/dev.txt"
    sizes = ["--set", "hidden_size=3", "--set", "character_filters=3", "--set", "epochs=1"]
    nerzoo("train", "ner", "--train", file, *sizes, "-s", tmp_path / "out")
    said = capsys.readouterr().out
    assert f"{file} is read as columns." in said and (tmp_path / "out/model.tar.gz").exists()
    nerzoo("evaluate", tmp_path / "out/model.tar.gz", FIXTURES / "people_and_places/test.txt")


@pytest.mark.parametrize(
    "args, message",
    [
        (["ner", "--dev", "x"], "found --dev or --corpus without --train"),
        (["fofe_lm", "--train", "x"], "found --train and a configuration without dataset_reader.corpus"),
        (["ner", "--train", "no.txt"], "no.txt: found no such file"),
        (["ner", "--train", "few.txt"], "few.txt: found 2 sentences to divide, expected at least ten"),
    ],
)
def test_what_is_wrong(args, message, tmp_path):
    (tmp_path / "few.txt").write_text("a B-LOC\n\nb O\n")
    args = [str(tmp_path / arg) if arg.endswith(".txt") else arg for arg in args]
    with pytest.raises(ConfigurationError, match=message):
        nerzoo("train", *args, "-s", tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["few.txt"]
