"""`nerzoo compare` on predictions written as `allennlp predict` writes them."""

import json

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.commands import allennlp
from helpers.two_systems import FIRST, SECOND, predictions, write, write_systems


def test_the_command_prints_and_writes(tmp_path, capsys):
    systems = write_systems(tmp_path)
    output = tmp_path / "scores.json"
    allennlp("compare", *systems, "--metric", "accuracy", "--seed", 3, "--num-resamples", 19, "--output-file", output)
    rows = [line.split() for line in capsys.readouterr().out.strip().splitlines()[-4:]]
    assert rows[0] == ["accuracy", "95", "%", "interval"]
    assert rows[2][:2] == ["second", "55.6"] and rows[2][-1] == systems[1]
    assert rows[3][:2] == ["difference", "44.4"] and rows[3][-2:] == ["3", "sentences"]
    summary = json.loads(output.read_text())
    assert summary["difference"]["score"] == pytest.approx(4 / 9)
    assert 0 < summary["p_value"] <= 1


def test_documents_are_an_option(tmp_path, capsys):
    first, second = (tmp_path / name for name in "ab")
    for path, tags in ((first, FIRST), (second, SECOND)):
        write(path, [{**row, "doc_id": id} for row, id in zip(predictions(tags), "dde", strict=True)])
    allennlp("compare", first, second, "--by-document", "--num-resamples", 19)
    assert capsys.readouterr().out.strip().splitlines()[-1].split()[-2:] == ["2", "documents"]


def test_threads_are_counted(tmp_path, capsys):
    post = {"id": "a", "link": None, "act": "ask", "gold_links": [{"to": None, "act": "ask"}]}
    paths = [write(tmp_path / name, [{"id": str(number), "posts": [post]} for number in range(2)]) for name in "ab"]
    allennlp("compare", *paths, "--metric", "joint_f1", "--num-resamples", 19)
    assert capsys.readouterr().out.strip().splitlines()[-1].split()[-2:] == ["2", "threads"]


def test_weights_of_sclite_are_an_option(tmp_path):
    output = tmp_path / "scores.json"
    allennlp("compare", *write_systems(tmp_path), "--metric", "cer", "--sclite-weights", "--output-file", output)
    assert json.loads(output.read_text())["second"]["score"] == pytest.approx(2 / 3)


def test_several_runs_of_each_system(tmp_path, capsys):
    first, second = write_systems(tmp_path)
    again = write(tmp_path / "again.jsonl", predictions(FIRST))
    allennlp("compare", first, second, "--with", again, "--metric", "accuracy", "--num-resamples", 19)
    rows = [line.split() for line in capsys.readouterr().out.strip().splitlines()[-4:]]
    assert rows[0] == ["accuracy", "deviation", "95", "%", "interval"]
    assert rows[1][:3] == ["first", "77.8", "31.4"] and rows[1][-2:] == [f"{first},", second]
    assert rows[2][:2] == ["second", "100.0"] and rows[2][-1] == again


def test_files_of_which_system(tmp_path):
    first, second = write_systems(tmp_path)
    for files in ([first], [first, second, second]):
        with pytest.raises(
            ConfigurationError, match=f"found {len(files)} files of predictions, expected two, a system"
        ):
            allennlp("compare", *files)
