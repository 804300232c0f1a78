"""`nerzoo report` on predictions written as `allennlp predict` writes them."""

import hashlib
import json
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.commands import allennlp
from helpers.paths import FIXTURES
from helpers.two_systems import SECOND, predictions, write, write_systems

TRAIN = FIXTURES / "people_and_places/train.txt"


def test_two_systems(tmp_path, capsys):
    first, second = write_systems(tmp_path)
    third = write(tmp_path / "third.jsonl", predictions(SECOND))
    output = tmp_path / "report"
    options = ["--train", TRAIN, "--corpus", "columns", "--num-resamples", 9, "--names", "one", "two", "three"]
    allennlp("report", first, "--with", second, first, "--with", third, "--output-folder", output, *options)
    captured = capsys.readouterr()
    rows = [line.split() for line in captured.out.strip().splitlines()[-5:]]
    assert rows[0] == ["strict", "precision", "recall", "F1", "95", "%", "interval"]
    assert rows[1] == ["one", "100.0", "100.0", "100.0", "100.0", "to", "100.0"]
    assert rows[3][:4] == ["three", "25.0", "33.3", "28.6"]
    assert rows[4] == [f"{output}/report.html"]
    assert "warning: Training data has no entity of these types: city, nights." in captured.err
    report = json.loads((output / "report.json").read_text())
    assert [(system["name"], len(system["files"])) for system in report["systems"]] == [
        *(("one", 1), ("two", 2), ("three", 1))
    ]
    assert " report " in report["origin"]["command"]
    assert [comparison["second"] for comparison in report["comparisons"]] == ["two", "three"]


def test_the_model_is_named(archives, tmp_path):
    first, second = write_systems(tmp_path)
    archive = archives("ner")
    output = tmp_path / "report"
    allennlp("report", first, "--models", archive, "--output-folder", output, "--num-resamples", 9)
    model, predictions = json.loads((output / "report.json").read_text())["origin"]["files"]
    assert (model["kind"], model["path"]) == ("model of a, sequence_tagger", str(archive))
    assert model["sha256"] == hashlib.sha256(Path(archive).read_bytes()).hexdigest()
    assert predictions["path"] == first
    with pytest.raises(ConfigurationError, match="found --models with 1, expected 2, one of each system"):
        allennlp("report", first, "--with", second, "--models", archive, "--output-folder", tmp_path / "other")


def test_a_folder_that_exists(tmp_path):
    with pytest.raises(ConfigurationError, match="found an output that exists"):
        allennlp("report", "missing.jsonl", "--output-folder", tmp_path)


def test_columns_of_another_system(tmp_path):
    path = tmp_path / "other.conll"
    path.write_text("Mara B-person B-person\nleft O O\nCalder B-place O\n")
    gold = ["--gold", path, "--corpus", '{"type": "columns", "tag_column": 1}', "--predictions-corpus", "columns"]
    allennlp("report", path, *gold, "--output-folder", tmp_path / "report")
    report = json.loads((tmp_path / "report/report.json").read_text())
    assert report["systems"][0]["scores"]["strict"]["recall"] == 0.5
