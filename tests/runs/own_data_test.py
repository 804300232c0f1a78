"""`nerzoo train --train`: files of one's own in place of the data of a configuration."""

import json

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from helpers.commands import nerzoo
from helpers.paths import FIXTURES

from nerzoo.runs.own_data import own_data

CONFIG = {"dataset_reader": {"corpus": {"type": "columns"}}, "validation_dataset_reader": {"corpus": "conllu"}}


def sentence(word, label):
    return json.dumps({"words": [word], "entities": [{"start": 0, "end": 1, "label": label}]}) + "\n"


def test_a_tenth_is_development_data(tmp_path):
    path = tmp_path / "all.jsonl"
    path.write_text("".join(sentence(f"w{number}", "LOC") for number in range(30)))
    found = own_data(Params(CONFIG), str(path), None, {"type": "jsonl"}, f"{tmp_path}/out/")
    files = {part: tmp_path / f"out-data/{part}.jsonl" for part in ("train", "dev")}
    assert found.overrides == {
        "train_data_path": str(files["train"]),
        "validation_data_path": str(files["dev"]),
        "dataset_reader.corpus": {"type": "jsonl"},
        "validation_dataset_reader.corpus": {"type": "jsonl"},
    }
    words = {
        part: [line["words"][0] for line in map(json.loads, file.read_text().splitlines())]
        for part, file in files.items()
    }
    assert len(words["dev"]) == 3 and sorted(words["train"] + words["dev"]) == sorted(f"w{n}" for n in range(30))
    assert (
        found.description[0] == f"{path} is read as jsonl." and "27 sentences, 27 words; LOC 27" in found.description[2]
    )
    again = own_data(Params(CONFIG), str(path), None, {"type": "jsonl"}, f"{tmp_path}/out")
    assert again == found


def test_types_that_one_part_has_alone(tmp_path):
    train, dev = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    train.write_text(sentence("x", "LOC") + sentence("y", "ORG"))
    dev.write_text(sentence("x", "LOC") + sentence("z", "SEA"))
    found = own_data(Params(CONFIG), str(train), str(dev), {"type": "jsonl"}, str(tmp_path / "out"))
    assert found.description[-2:] == ["Only the training data has ORG.", "Only the development data has SEA."]
    assert not (tmp_path / "out-data").exists()


def test_trains_on_a_file_of_columns(tmp_path, capsys):
    file = FIXTURES / "people_and_places/dev.txt"
    sizes = ["--set", "hidden_size=3", "--set", "character_filters=3", "--set", "epochs=1"]
    nerzoo("train", "ner", "--train", file, *sizes, "-s", tmp_path / "out")
    said = capsys.readouterr().out
    assert f"{file} is read as columns." in said and (tmp_path / "out/model.tar.gz").exists()
    assert f"{tmp_path}/out-data/train.jsonl" in (tmp_path / "out/config.json").read_text()


@pytest.mark.parametrize(
    "args, message",
    [
        (["ner", "--dev", "x"], "found --dev or --corpus without --train"),
        (["fofe_lm", "--train", "x"], "found --train and a configuration without dataset_reader.corpus"),
        (["ner", "--train", "no.txt"], "no.txt: found no such file"),
        (["ner", "--train", "few.txt"], "few.txt: found 2 sentences, expected at least 10, or --dev"),
    ],
)
def test_what_is_wrong(args, message, tmp_path):
    (tmp_path / "few.txt").write_text("a B-LOC\n\nb O\n")
    args = [str(tmp_path / arg) if arg.endswith(".txt") else arg for arg in args]
    with pytest.raises(ConfigurationError, match=message):
        nerzoo("train", *args, "-s", tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["few.txt"]
