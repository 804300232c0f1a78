import json

import pytest
from allennlp.training import GradientDescentTrainer
from helpers.benches import PEOPLE_AND_PLACES, write_run

from nerzoo.formats.columns import ColumnsCorpus
from nerzoo.runs.bench import BenchRun, do_runs, execute
from nerzoo.runs.bench_data import as_parts, read_documents, write_data


def test_a_killed_run_goes_on_to_the_same_predictions(tmp_path, monkeypatch):
    dev, test = (read_documents(str(PEOPLE_AND_PLACES / f"{part}.txt"), ColumnsCorpus()) for part in ("dev", "test"))
    write_data(tmp_path / "data", as_parts(dev, test, test))
    unbroken, killed = (write_run(tmp_path / name, "ner", tmp_path / "data/0", epochs=3) for name in ("a", "b"))
    expected = execute(unbroken)
    epochs = []

    def batch_outputs(self, batch, for_training, unbroken=GradientDescentTrainer.batch_outputs):
        epochs.append(self._epochs_completed)
        if self._epochs_completed == 1 and len({*epochs}) == 2 and epochs[0] == 0:
            raise KeyboardInterrupt
        return unbroken(self, batch, for_training)

    monkeypatch.setattr(GradientDescentTrainer, "batch_outputs", batch_outputs)
    with pytest.raises(KeyboardInterrupt):
        execute(killed)
    assert not (killed / "record.json").exists()
    epochs.clear()
    record = execute(killed)
    # The first epoch was not trained again.
    assert epochs[0] == 1
    assert (record["starts"], expected["starts"]) == (2, 1)
    assert record["predictions_sha256"] == expected["predictions_sha256"]
    assert record["epochs"] == 3


SENTENCE = '{"words": ["Mara", "left"], "entities": [{"start": 0, "end": 1, "label": "person"}]}\n'


def test_words_with_separators_of_lines_in_them(tmp_path):
    words = ["Mara\u2028", "\u2029", "left\x85"]
    run = BenchRun(write_run(tmp_path, "feature_crf", tmp_path, epochs=2), "feature_crf", 1, 0)
    for part in ("train", "test"):
        line = json.dumps({"words": words, "entities": [{"start": 0, "end": 1, "label": "person"}]}) + "\n"
        (tmp_path / f"{part}.jsonl").write_text(line * 2)
    execute(run.folder)
    assert [json.loads(line)["words"] for line in run.predictions] == [words] * 2


def test_runs_in_two_processes(tmp_path, capsys):
    data = tmp_path / "data"
    data.mkdir()
    for part in ("train", "test"):
        (data / f"{part}.jsonl").write_text(SENTENCE)
    runs = [
        BenchRun(write_run(tmp_path, "feature_crf", data, epochs=20), "feature_crf", 1, 0),
        BenchRun(write_run(tmp_path, "ner", tmp_path / "missing"), "ner", 1, 0),
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
