"""The report of a tuning, of trials that were not trained."""

import json

import pytest
from helpers.pages import Page
from optuna import create_study
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.trial import TrialState, create_trial

from nerzoo.runs.tuning_report import trial_line, values_line, write_tuning_report

SPACE = {
    "encoder": CategoricalDistribution(["lstm", None, "gru"]),
    "rate": FloatDistribution(0.001, 0.1, log=True),
    "size": IntDistribution(10, 30),
}
TRIALS = [
    (["lstm", 0.01, 10], 2.0, TrialState.COMPLETE),
    (["gru", 0.1, 20], 4.0, TrialState.PRUNED),
    (["gru", 0.1, 10], None, TrialState.PRUNED),
    ([None, 0.001, 30], 1.0, TrialState.COMPLETE),
    (["lstm", 0.01, 15], None, TrialState.FAIL),
    (["gru", 0.1, 20], 1.5, TrialState.COMPLETE),
]


def study_of(trials, direction="minimize"):
    study = create_study(direction=direction)
    for number, (values, value, state) in enumerate(trials):
        steps = {epoch: value or 1.0 for epoch in range(number + 1)}
        params = dict(zip(SPACE, values, strict=True))
        study.add_trial(
            create_trial(params=params, distributions=SPACE, value=value, state=state, intermediate_values=steps)
        )
    return study


def lines_of(page):
    """The heights of the points of each line, from 0 to 1, and its class and text."""
    return [
        ([round((212 - float(point.split(",")[1])) / 192, 2) for point in attributes["points"].split()], *rest)
        for _, attributes, text in page.find("polyline")
        for rest in [(attributes["class"], float(attributes["opacity"]), text)]
    ]


@pytest.fixture
def report(tmp_path):
    return write_tuning_report(tmp_path, study_of(TRIALS), "loss", "nerzoo tune ner")


def test_the_report_has_all_trials(report, tmp_path):
    assert json.loads((tmp_path / "report.json").read_text()) == report
    assert report["trials"][1] == {
        "number": 1,
        "state": "pruned",
        "epochs": 2,
        "value": 4.0,
        "options": {"encoder": "gru", "rate": 0.1, "size": 20},
    }
    assert report["best"] == report["trials"][3] and report["direction"] == "minimize"
    assert sum(report["importance"].values()) == pytest.approx(1) and report["importance"].keys() == SPACE.keys()


def test_markdown(report, tmp_path):
    lines = (tmp_path / "report.md").read_text().splitlines()
    assert "Best: trial 3, loss 1.0000 with encoder null, rate 0.001, size 30." in lines
    assert lines[lines.index("| trial | encoder | rate | size | epochs | loss | state |") + 2 :][:6] == [
        '| 0 | "lstm" | 0.01 | 10 | 1 | 2.0000 | complete |',
        '| 1 | "gru" | 0.1 | 20 | 2 | 4.0000 | pruned |',
        '| 2 | "gru" | 0.1 | 10 | 3 | – | pruned |',
        "| 3 | null | 0.001 | 30 | 4 | 1.0000 | complete |",
        '| 4 | "lstm" | 0.01 | 15 | 5 | – | fail |',
        '| 5 | "gru" | 0.1 | 20 | 6 | 1.5000 | complete |',
    ]
    assert any(line.startswith("3 complete, 2 pruned, 1 fail. The value of") for line in lines)
    assert sum(line.startswith(("| encoder |", "| rate |", "| size |")) for line in lines) == 3


def test_charts(report, tmp_path):
    page = Page((tmp_path / "report.html").read_text())
    assert page.texts("figcaption") == [
        "loss by trial, and the best so far",
        "Options and results of the trials",
        "Importance of options",
    ]
    names = [
        'trial 0: encoder "lstm", rate 0.01, size 10, loss 2',
        "trial 3: encoder null, rate 0.001, size 30, loss 1",
        'trial 5: encoder "gru", rate 0.1, size 20, loss 1.5',
    ]
    assert lines_of(page) == [
        ([1, 0, 0.5], "line", 1, "trials"),
        ([1, 0, 0], "line best", 1, "best"),
        ([0, 0.5, 0, 1], "line", 0.2, names[0]),
        ([0.5, 0, 1, 0], "line best", 1, names[1]),
        ([1, 1, 0.5, 0.5], "line", 0.6, names[2]),
    ]
    ticks = page.texts("text", **{"class": "tick", "text-anchor": "middle"})
    assert ticks[:10] == ["2", "1", '"gru"', '"lstm"', "0.1", "0.001", "30", "10", "2", "1"]


@pytest.mark.parametrize("values", [[0.5], [0.5, 0.5]])
def test_no_importance_where_trials_do_not_differ(tmp_path, values):
    trials = [(["gru", 0.1, 20], value, TrialState.COMPLETE) for value in values]
    report = write_tuning_report(tmp_path, study_of(trials, "maximize"), "f1", "")
    page = Page((tmp_path / "report.html").read_text())
    assert report["importance"] == {} and "Importance" not in " ".join(page.texts("h2"))
    assert [heights for heights, *_ in lines_of(page)][:2] == [[0.5] * len(values)] * 2


def test_lines_of_text():
    study = study_of(TRIALS)
    assert values_line({"size": 10, "rate": 0.123456, "lower": True}) == "size 10, rate 0.1235, lower true"
    assert trial_line(study.trials[0], "loss") == "trial 0: complete after epoch 1, loss 2.0000"
    assert trial_line(study.trials[2], "loss") == "trial 2: pruned after epoch 3, no value"
