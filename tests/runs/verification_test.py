import json

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.benches import FILES, do_bench

from nerzoo.runs.verification import verify


@pytest.fixture
def bench(tmp_path, monkeypatch):
    monkeypatch.setattr("nerzoo.runs.systems.FeatureCrf.full_epochs", 20)
    return do_bench(tmp_path / "bench", monkeypatch)


def test_an_untouched_run_comes_out_the_same(bench):
    for rows in (None, ["feature_crf"], ["feature_crf-1-0"]):
        (found,) = verify(bench, rows)
        assert found["is_same"] and found["remarks"] == []
        assert found["f1"] == found["f1_now"] > 0
    assert (bench.folder / "verification/feature_crf-1-0/record.json").exists()


def test_altered_predictions(bench):
    path = bench.runs[0].folder / "predictions.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    gold = [json.loads(line) for line in (bench.folder / "data/gold.jsonl").read_text().splitlines()]
    for line, truth in zip(lines, gold, strict=True):
        line["entities"] = truth["entities"]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    (found,) = verify(bench)
    assert not found["is_same"] and (found["f1"], found["f1_now"]) != (1.0, 1.0) and found["f1"] == 1.0
    assert "predictions.jsonl is not what the record was written of" in found["remarks"][0]


def test_an_altered_record(bench):
    path = bench.runs[0].folder / "record.json"
    path.write_text(json.dumps({**bench.runs[0].record, "predictions_sha256": "0", "epochs": 3}))
    (found,) = verify(bench)
    assert not found["is_same"] and found["remarks"][-1] == "20 epochs, and 3 before"


def test_another_number_of_epochs(bench):
    # What was asked for is done again, whatever run.json has become.
    facts = bench.facts
    facts["shares"]["feature_crf"]["epochs"] = 1
    (bench.folder / "bench.json").write_text(json.dumps(facts))
    (found,) = verify(bench)
    assert not found["is_same"] and found["f1_now"] != found["f1"]


def test_says_what_has_changed_since(bench):
    facts = bench.facts
    facts["versions"]["torch"] = "1.0"
    facts["sha256"][FILES[0]] = "0"
    facts["fingerprints"]["feature_crf"] = "0"
    (bench.folder / "bench.json").write_text(json.dumps(facts))
    (found,) = verify(bench)
    assert found["is_same"]
    version, file, configuration = found["remarks"]
    assert version.startswith("torch is 2") and version.endswith("was 1.0")
    assert file == f"{FILES[0]} is another file" and configuration == "the configuration of feature_crf is another one"


def test_a_run_that_fails_now(bench, monkeypatch):
    def fail(self, specification, folder):
        raise ValueError("out of memory")

    monkeypatch.setattr("nerzoo.runs.systems.FeatureCrf.train", fail)
    (found,) = verify(bench)
    assert not found["is_same"] and found["f1_now"] is None
    assert "verification/feature_crf-1-0/log" in found["remarks"][0]


@pytest.mark.parametrize(
    "rows, message", [(["ner"], "found no run ner that is done, expected some of feature_crf-1-0")]
)
def test_no_such_run(bench, rows, message):
    with pytest.raises(ConfigurationError, match=message):
        verify(bench, rows)


def test_no_run_at_all(bench):
    (bench.runs[0].folder / "record.json").unlink()
    with pytest.raises(ConfigurationError, match="found no run that is done, expected some of none"):
        verify(bench)
