"""Runs in processes of their own, one of which fails."""

from helpers.benches import write_run

from nerzoo.runs.run import Run, do_runs

SENTENCE = '{"words": ["Mara", "left"], "entities": [{"start": 0, "end": 1, "label": "person"}]}\n'


def test_runs_in_two_processes(tmp_path, capsys):
    data = tmp_path / "data"
    data.mkdir()
    for part in ("train", "test"):
        (data / f"{part}.jsonl").write_text(SENTENCE)
    runs = [
        Run(write_run(tmp_path, "feature_crf", data, epochs=20), "feature_crf", 1, 0),
        Run(write_run(tmp_path, "ner", tmp_path / "missing"), "ner", 1, 0),
    ]
    do_runs(runs, jobs=2)
    done, failed = runs
    assert done.predictions == [SENTENCE]
    assert 1 <= done.record["epochs"] <= 20 and failed.record is None
    assert "missing/train.jsonl" in (failed.folder / "log").read_text()
    said = capsys.readouterr().out.splitlines()
    assert said == [
        "runs/feature_crf-1-0 (1 of 2): done",
        f"runs/ner-1-0 (2 of 2): FAILED, see {failed.folder}/log",
    ]
    do_runs(runs[:1], jobs=1)
    assert capsys.readouterr().out == ""
