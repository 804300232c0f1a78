import json

import pytest
from allennlp.common import Params

from experiments import fine_tuning
from experiments.fine_tuning import fine_tuning_runs, fine_tuning_scores, fine_tuning_table


def test_runs_differ_in_their_starts(tmp_path, monkeypatch):
    monkeypatch.setenv("DATA", str(tmp_path))
    monkeypatch.setenv("WORD_VECTORS", "")
    monkeypatch.setattr(fine_tuning, "folder_of", lambda name: f"the folder of {name}")
    monkeypatch.setattr(fine_tuning, "fine_tuned", lambda params, archive: Params({"from": archive}))
    runs = list(fine_tuning_runs(tmp_path, "vectors.txt", 2, {}))
    assert len(runs) == 5 * 3 * 2
    nothing, _, vectors, _, en, _ = (run.config.as_dict(quiet=True) for run in runs[:6])
    assert vectors["vocabulary"]["pretrained_files"] == {"tokens": "vectors.txt"}
    assert "pretrained_files" not in nothing["vocabulary"] and nothing["test_data_path"].endswith("ai/test.txt.gz")
    assert nothing["trainer"] == vectors["trainer"] and en == {"from": "the folder of en"}
    assert [runs[1].config["random_seed"], runs[1].config["pytorch_seed"]] == [2, 2]


def test_scores_of_runs_that_are_done(tmp_path, monkeypatch):
    monkeypatch.setenv("DATA", str(tmp_path))
    monkeypatch.setattr(fine_tuning, "folder_of", lambda name: name)
    monkeypatch.setattr(fine_tuning, "fine_tuned", lambda params, archive: params)
    monkeypatch.setattr(fine_tuning, "DOMAINS", ("ai", "music"))
    runs = list(fine_tuning_runs(tmp_path, "vectors.txt", 2, {}))
    for number, run in enumerate(runs):
        run.folder.mkdir(parents=True)
        run.product.write_text(json.dumps({"test_f1": number / 100}))
    scores = fine_tuning_scores(runs)
    assert list(scores["music"]) == ["nothing", "vectors", "en"] and scores["music"]["en"] == pytest.approx([10, 11])
    assert fine_tuning_table(scores).splitlines()[-1] == ("| all | 3.5 ± 0.7 | 5.5 ± 0.7 | 7.5 ± 0.7 | +4.0 | +2.0 |")
