"""`allennlp compare` on predictions written as `allennlp predict` writes them."""

import json

import pytest
from helpers.commands import allennlp
from helpers.two_systems import write_systems


def test_the_command_prints_and_writes(tmp_path, capsys):
    systems = write_systems(tmp_path)
    output = tmp_path / "scores.json"
    allennlp("compare", *systems, "--metric", "accuracy", "--seed", 3, "--num-resamples", 19, "--output-file", output)
    rows = [line.split() for line in capsys.readouterr().out.strip().splitlines()[-4:]]
    assert rows[0] == ["accuracy", "95", "%", "interval"]
    assert rows[2][:2] == ["second", "0.5556"] and rows[2][-1] == systems[1]
    assert rows[3][:2] == ["difference", "0.4444"] and rows[3][-2:] == ["3", "sentences"]
    summary = json.loads(output.read_text())
    assert summary["difference"]["score"] == pytest.approx(4 / 9)
    assert 0 < summary["p_value"] <= 1


def test_weights_of_sclite_are_an_option(tmp_path):
    output = tmp_path / "scores.json"
    allennlp("compare", *write_systems(tmp_path), "--metric", "cer", "--sclite-weights", "--output-file", output)
    assert json.loads(output.read_text())["second"]["score"] == pytest.approx(2 / 3)
