"""Tables of made-up records."""

import json
import sys
from functools import partial
from statistics import mean, stdev

import numpy
import pytest
from allennlp.common.checks import ConfigurationError

from experiments.runs import table_runs
from experiments.tabulate import _answer, main, tables, with_tables
from nerzoo.evaluation.significance import holm, paired_significance, significances

ROW = {"config": "config.json"}
SPECIFICATION = {
    "rows": {"base": ROW, "late": {**ROW, "seeds": 1}, "none": ROW, "ours": ROW},
    "order": ["base", "ours", "late", "none"],
    "seeds": 2,
    "evaluations": {"test": {"data": "test.conllu"}, "parsed": {"data": "test.conllu", "predict": False}},
    "metric": "f1",
    "reference": "base",
}
# F1 of each run, and the numerators of its four sentences.
RUNS = {
    ("base", 1): (0.5, "0 2 2 0"),
    ("base", 2): (0.6, "0 2 4 0"),
    ("ours", 1): (0.7, "2 2 4 2"),
    ("ours", 2): (0.75, "2 2 4 0"),
    ("late", 1): (0.55, "0 2 4 2"),
}
DENOMINATORS = "4 4 6 2"


quick_significance = partial(paired_significance, num_resamples=99)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder, in which the programs run."""
    monkeypatch.setattr("experiments.tabulate.significances", partial(significances, num_resamples=99))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATA", str(tmp_path))
    (tmp_path / "experiments/tables").mkdir(parents=True)
    (tmp_path / "config.json").write_text(json.dumps({"trainer": {"num_epochs": 3}}))
    return tmp_path


def write_table(folder, specification, name="t"):
    (folder / f"experiments/tables/{name}.jsonnet").write_text(json.dumps(specification))


def write_record(row, seed, **content):
    (run,) = (run for run in table_runs("t") if (run.row, run.seed) == (row, seed))
    run.product.parent.mkdir(parents=True, exist_ok=True)
    summary = {"parameters": 1234567, "epochs": 9, "best_epoch": 2 * seed, "seconds": 900.0 * seed}
    run.product.write_text(json.dumps({"fingerprint": run.fingerprint, **summary, **content}))


@pytest.fixture
def runs(folder):
    write_table(folder, SPECIFICATION)
    for (row, seed), (f1, numerators) in RUNS.items():
        metrics = {"precision": f1 + 0.1, "recall": f1 - 0.1, "f1": f1, "loss": 3.0}
        counts = {"numerators": numerators, "denominators": DENOMINATORS}
        evaluations = {"test": {"metrics": metrics, **counts}, "parsed": {"metrics": {**metrics, "f1": f1 - 0.2}}}
        write_record(row, seed, development={"f1": f1 + 0.2}, evaluations=evaluations)
    return folder


def cells(parts, evaluation="test"):
    """The cells of each row by their titles, in the table of an evaluation."""
    lines = parts[evaluation].splitlines()
    header, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row[0].strip("`"): dict(zip(header, row, strict=True)) for row in rows}


def test_scores_over_seeds(runs):
    rows = cells(tables("t"))
    assert list(rows) == SPECIFICATION["order"]
    assert rows["base"] == {
        "": "`base`",
        "parameters": "1,234,567",
        "seeds": "2",
        "best epoch": "3",
        "minutes": "22.5",
        "development F1": "75.00 ± 7.07",
        "precision": "65.00 ± 7.07",
        "recall": "45.00 ± 7.07",
        "F1": f"{100 * mean([0.5, 0.6]):.2f} ± {100 * stdev([0.5, 0.6]):.2f}",
        "difference to `base`": "–",
        "95 % interval": "–",
        "p (Holm)": "–",
    }
    assert (rows["late"]["seeds"], rows["late"]["F1"]) == ("1", "55.00")


def test_differences_to_the_reference(runs):
    def significance(row):
        counts = [
            numpy.array([[list(map(int, column.split())) for column in (numerators, DENOMINATORS)]]).transpose(0, 2, 1)
            for (name, _), (_, numerators) in RUNS.items()
            if name == row
        ]
        return numpy.concatenate(counts)

    rows = cells(tables("t"))
    ours, late = (quick_significance(significance(row), significance("base")) for row in ("ours", "late"))
    low, high = ours.difference_interval
    assert float(rows["ours"]["difference to `base`"]) == pytest.approx(100 * ours.difference, abs=0.01)
    assert rows["ours"]["95 % interval"] == f"{100 * low:+.2f} to {100 * high:+.2f}"
    p_values = holm([ours.p_value, late.p_value])
    assert [rows["ours"]["p (Holm)"], rows["late"]["p (Holm)"]] == [f"{p_value:.4f}" for p_value in p_values]
    # Nothing was predicted there.
    parsed = cells(tables("t"), "parsed")
    assert (parsed["ours"]["F1"], parsed["ours"]["p (Holm)"]) == ("52.50 ± 3.54", "–")


def test_curves(runs):
    of_batches = {**SPECIFICATION["rows"], "ours": {**SPECIFICATION["rows"]["ours"], "sentences_per_loss": 2}}
    write_table(runs, {**SPECIFICATION, "rows": of_batches, "curves": [1, 3]})
    for (row, seed), _ in RUNS.items():
        curves = {"training_loss": [3.0, 2.0, 1.0][: 4 - seed], "f1": [0.1, 0.2, 0.3 + seed / 10][: 4 - seed]}
        evaluations = {name: {"metrics": {}} for name in SPECIFICATION["evaluations"]}
        write_record(row, seed, development={}, evaluations=evaluations, curves=curves)
    (run,) = (run for run in table_runs("t") if (run.row, run.seed) == ("late", 1))
    write_record("late", 1, **{**run.record, "curves": {}})
    # The second seed of a row stopped after two epochs.
    lines = tables("t")["curves"].splitlines()
    assert lines[:4] == [
        "| after epoch | 1 | 3 |",
        "| --- | --- | --- |",
        "| `base`, loss of training | 3.00 | 1.00 |",
        "| `ours`, loss of training | 1.50 | 0.50 |",
    ]
    assert lines[4] == "| `late`, loss of training | – | – |"
    assert "| `ours`, development F1 | 10.00 | 40.00 |" in lines


def test_learning_rates(folder):
    rows = {f"{row}-{rate}": {**ROW, "overrides": {"lr": rate}} for row in ("ours", "a-b") for rate in (0.01, 0.5)}
    del (specification := {**SPECIFICATION, "rows": rows, "rates": [0.01, 0.5], "seeds": 1})["order"]
    write_table(folder, {**specification, "reference": None})
    for row, f1 in (("ours-0.5", 0.6), ("ours-0.01", 0.7), ("a-b-0.5", 0.8)):
        evaluations = {name: {"metrics": {"f1": 0.1}} for name in SPECIFICATION["evaluations"]}
        write_record(row, 1, development={"f1": f1}, evaluations=evaluations)
    assert tables("t")["rates"].splitlines() == [
        "| development F1 | 0.01 | 0.5 |",
        "| --- | --- | --- |",
        "| `a-b` | – | 80.00 |",
        "| `ours` | 70.00 | 60.00 |",
    ]


def test_a_table_of_rates_also_shows_a_rate_of_another_table(runs):
    rows = {"ours-0.5": {**ROW, "overrides": {"lr": 0.5}}}
    del (specification := {**SPECIFICATION, "rows": rows, "rates": [0.5], "seeds": 1})["order"]
    write_table(runs, {**specification, "reference": None, "trained": {"rate": 0.1, "table": "t"}}, name="rates")
    assert tables("rates")["rates"].splitlines() == [
        "| development F1 | 0.1 | 0.5 |",
        "| --- | --- | --- |",
        "| `ours` | 90.00 | – |",
    ]


def test_names_what_is_missing(runs):
    parts = tables("t")
    assert cells(parts)["none"] == {**dict.fromkeys(cells(parts)["none"], "–"), "": "`none`", "seeds": "0 of 2"}
    assert parts["missing"] == "2 of 7 runs:\n\n- t: none, seed 1\n- t: none, seed 2"
    write_table(runs, {**SPECIFICATION, "seeds": 3})
    rows = cells(tables("t"))
    assert (rows["base"]["seeds"], rows["late"]["seeds"]) == ("2 of 3", "1")
    assert "- t: ours, seed 3" in tables("t")["missing"].splitlines()


def test_leaves_out_records_of_another_configuration(runs):
    late = {**ROW, "seeds": 1, "overrides": {"a": 1}}
    write_table(runs, {**SPECIFICATION, "rows": {**SPECIFICATION["rows"], "late": late}})
    parts = tables("t")
    assert cells(parts)["late"]["F1"] == "–" and "- t: late, seed 1" in parts["missing"].splitlines()


def test_an_evaluation_that_came_later_has_the_scores_of_runs_that_were_made_anew(runs):
    evaluations = {**SPECIFICATION["evaluations"], "dev": {"data": "dev.conllu"}}
    write_table(runs, {**SPECIFICATION, "evaluations": evaluations})
    write_record("late", 1, development={}, evaluations={"dev": {"metrics": {"f1": 0.25}}})
    parts = tables("t")
    assert [cells(parts, "dev")[row]["F1"] for row in ("base", "late")] == ["–", "25.00"]
    assert "- t: base, seed 1" in parts["missing"] and "- t: late" not in parts["missing"]


PAGE = "# T\n\n<!-- experiments.tabulate: t, {} -->\n| old |\n<!-- end -->\n\nText.\n"


def test_a_page_has_its_tables_renewed(runs, monkeypatch):
    page = runs / "t.md"
    page.write_text(PAGE.format("test") + PAGE.format("parsed"))
    monkeypatch.setattr(sys, "argv", ["tabulate", "--pages", str(page)])
    main()
    renewed = page.read_text()
    parts = tables("t")
    assert parts["test"] in renewed and parts["parsed"] in renewed and "old" not in renewed
    assert renewed.count("\n\nText.\n") == 2
    assert with_tables(renewed) == renewed


def test_a_page_with_an_evaluation_that_the_table_has_not(runs):
    with pytest.raises(ConfigurationError, match="t: found no table dev, expected one of parsed, test, missing"):
        with_tables(PAGE.format("dev"))


def test_an_order_of_other_rows(runs):
    write_table(runs, {**SPECIFICATION, "order": ["base", "ours", "later"]})
    with pytest.raises(ConfigurationError, match="found late, later, none in order or in rows alone"):
        tables("t")


def test_no_run_at_all(folder):
    write_table(folder, SPECIFICATION)
    assert set(cells(tables("t"))["base"].values()) == {"`base`", "0 of 2", "–"}


def test_threads_in_folds(folder):
    specification = {**SPECIFICATION, "rows": {"base": ROW, "ours": ROW}, "order": ["ours", "base"]}
    specification.update(seeds=1, folds=3, metric="joint_f1")
    del specification["evaluations"]
    write_table(folder, specification)
    for row, joint, numerators in (("base", 0.4, "0 2"), ("ours", 0.6, "2 4")):
        names = ("link_f1", "act_f1", "joint_f1", "joint_thread_accuracy")
        metrics = {name: joint + 0.1 * number for number, name in enumerate(names)}
        folds = {"metrics": metrics, "numerators": numerators, "denominators": "2 4"}
        write_record(row, 1, development={"joint_f1": joint - 0.1}, evaluations={"folds": folds})
    rows = cells(tables("t"), "folds")
    assert list(rows) == ["ours", "base"]
    assert rows["ours"]["link F1"] == "60.00" and rows["ours"]["joint F1"] == "80.00"
    assert rows["ours"]["joint thread accuracy"] == "90.00" and rows["ours"]["development joint F1"] == "50.00"
    assert rows["ours"]["difference to `base`"] == f"{100 - 200 / 6:+.2f}"


def test_a_metric_that_is_no_percentage_and_cannot_be_compared(folder):
    specification = {**SPECIFICATION, "rows": {"base": ROW}, "metric": "perplexity", "evaluations": {"test": {}}}
    del specification["order"]
    write_table(folder, {**specification, "columns": ["perplexity", "unknown_words"], "reference": None})
    test = {"metrics": {"perplexity": 118.04, "unknown_words": 0.05}}
    write_record("base", 1, development={"perplexity": 110.4}, evaluations={"test": test})
    row = cells(tables("t"))["base"]
    assert (row["development perplexity"], row["perplexity"], row["unknown words"]) == ("110.40", "118.04", "5.00")
    assert "p (Holm)" not in row


def test_perplexities_are_compared_by_mean_log_probability(folder):
    specification = {**SPECIFICATION, "rows": {"base": ROW, "ours": ROW}, "order": ["base", "ours"], "seeds": 1}
    write_table(folder, {**specification, "metric": "perplexity", "evaluations": {"test": {}}})
    for row, numerators in (("base", "-500 -900"), ("ours", "-480 -890")):
        test = {"metrics": {"perplexity": 105.0}, "numerators": numerators, "denominators": "100 200"}
        write_record(row, 1, development={"perplexity": 110.4}, evaluations={"test": test})
    assert cells(tables("t"))["ours"]["difference to `base`"] == "+10.00"


def test_prints_tables(runs, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["tabulate", "t"])
    main()
    printed = capsys.readouterr().out
    assert printed.startswith("t, parsed:\n\n|  | parameters |")
    assert "\n\nt, test:\n\n|" in printed


def test_prints_the_difference_between_two_rows(runs, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["tabulate", "--difference", "t/ours", "t/base"])
    main()
    expected = cells(tables("t"))["ours"]
    found, interval = capsys.readouterr().out.split(", ")
    assert found == expected["difference to `base`"] and interval.endswith(" (2 and 2 seeds)\n")
    monkeypatch.setattr(sys, "argv", [*sys.argv, "--evaluation", "parsed"])
    with pytest.raises(ConfigurationError, match="t/ours, t/base: found no counts of parsed, expected some with the"):
        main()


@pytest.mark.parametrize(
    ["low", "high", "claimed", "answer"],
    [
        (0.5, 1.5, 0.2, "yes, by 0.50 to 1.50"),
        (-1.5, -0.5, 0.2, "no, behind by 0.50 to 1.50"),
        (-1.0, 0.1, 0.2, "no, ahead by less than 0.10"),
        (-1.0, 3.0, 0.5, "not decided; it would take 16 times the sentences and seeds"),
        (-1.0, 3.0, 0.1, "not decided; it would take more than 100 times the sentences and seeds"),
        (-1.0, 0.5, 0, "level, within 1.00"),
        (-3.0, 1.0, 0, "not decided; it would take 4 times the sentences and seeds"),
        (-1.4, 0.2, 0, "not decided; it would take 2 times the sentences and seeds"),
    ],
)
def test_answers_a_claim(low, high, claimed, answer):
    assert _answer(low, high, claimed) == answer


def test_claims_are_named_once_with_rows_and_seeds(runs):
    claim = {"claim": "ours helps", "claimed": 0.1, "row": "ours", "reference": "base", "table": "t"}
    claims = [{**claim, "data": "D", "page": "p"}, {**claim, "row": "none", "data": "E", "page": "p"}]
    (runs / "experiments/claims.jsonnet").write_text(json.dumps(claims))
    header, _, first, second = tables("claims")["answers"].splitlines()
    assert first.startswith("| ours helps | [D](p.md) | `ours`, `base` | 2, 2 | +")
    assert second == "|  | [E](p.md) | `none`, `base` | 0, 2 | – | – | not trained yet |"


def test_the_runs_without_a_record_take_as_long_as_the_others(runs):
    (runs / "docs/results/runs/t/ours-2.json").unlink()
    row, total = tables("missing")["runs"].splitlines()[2:]
    assert (row, total) == ("| `t` | 3 of 7 | 0.9 |", "| together |  | 1 |")


def test_a_missing_run_with_folds_has_a_training_for_each(runs):
    write_table(runs, {**SPECIFICATION, "folds": 5})
    assert tables("missing")["runs"].splitlines()[2] == "| `t` | 2 of 7 | 3.5 |"
