"""`nerzoo bench` on the fixture, with what takes no time."""

import json

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.benches import FILES, run_here
from helpers.commands import allennlp

QUICK = ["--corpus", "columns", "--systems", "feature_crf", "--num-resamples", 99]


def test_a_bench_and_its_verification(tmp_path, monkeypatch, capsys):
    run_here(monkeypatch)
    output = tmp_path / "bench"
    options = ["-s", output, *QUICK, "--minutes", 0, "--predictions", f"gold={FILES[2]}", "--title", "Fixture"]
    allennlp("bench", *FILES, *options)
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[-4:]]
    assert rows[0] == ["F1", "95", "%", "interval", "words/s"]
    assert rows[1][:2] == ["gold", "100.0"] and rows[2][0] == "feature_crf"
    assert rows[3] == [f"{output}/report.html"]
    report = json.loads((output / "report.json").read_text())
    assert report["command"].startswith(f"nerzoo bench {FILES[0]}") and "--title Fixture" in report["command"]
    assert report["settings"]["configs"] == "training_config/bench" and report["settings"]["minutes"] is None
    allennlp("bench", "--verify", output, "--rows", "feature_crf")
    (header, row) = (line.split() for line in capsys.readouterr().out.splitlines()[-2:])
    assert header == ["F1", "F1", "now"] and row[:2] == ["feature_crf-1-0", "same"] and row[2] == row[3]
    (output / "runs/feature_crf-1-0/predictions.jsonl").write_text((output / "data/gold.jsonl").read_text())
    with pytest.raises(SystemExit) as error:
        allennlp("bench", "--verify", output)
    assert error.value.code == 1 and "DIFFERENT" in capsys.readouterr().out


@pytest.mark.parametrize(
    "args, message",
    [
        ([*FILES, "--corpus", "columns"], "found no -s, expected files, --corpus and -s, or --verify"),
        ([*FILES, *QUICK, "-s", "x", "--seeds", 0], "found --seeds 0, expected at least 1"),
        ([*FILES, *QUICK, "-s", "x", "--jobs", -1], "found --jobs -1, expected at least 1"),
        ([*FILES, *QUICK, "-s", "x", "--predictions", "flair"], "found --predictions flair, expected NAME=FILE"),
        (
            [*FILES, *QUICK, "-s", "x", "--transformer", "./nowhere"],
            "./nowhere: found no such folder",
        ),
        (["--verify", "nowhere"], "found no bench.json in nowhere"),
    ],
)
def test_what_is_wrong(args, message):
    with pytest.raises(ConfigurationError, match=message):
        allennlp("bench", *args)
