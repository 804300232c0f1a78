"""Tables of a made-up output folder."""

import json
import sys
from statistics import mean, stdev

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.two_systems import FIRST, GOLD, SECOND, WORDS, predictions, write

from experiments.tabulate import holm, main, tables
from nerzoo.evaluation.comparison import compare

SPECIFICATION = {
    "config": "%s.jsonnet",
    "rows": {"base": {}, "late": {"seeds": 1}, "none": {}, "ours": {}},
    "order": ["base", "ours", "late", "none"],
    "seeds": 2,
    "evaluations": {"test": {"data": "test.conllu"}, "parsed": {"data": "test.conllu", "predict": False}},
    "metric": "f1",
    "reference": "base",
}
# F1 of each run, and what its predictions are.
RUNS = {
    ("base", 1): (0.5, SECOND),
    ("base", 2): (0.6, [*SECOND[:2], FIRST[2]]),
    ("ours", 1): (0.7, FIRST),
    ("ours", 2): (0.75, FIRST),
    ("late", 1): (0.55, SECOND),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder, in which the programs run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATA", str(tmp_path))
    (tmp_path / "experiments/tables").mkdir(parents=True)
    return tmp_path


def write_table(folder, specification):
    (folder / "experiments/tables/t.jsonnet").write_text(json.dumps(specification))


def write_run(folder, row, seed, **files):
    run = folder / f"output/tables/t/{row}-{seed}"
    (run / "train").mkdir(parents=True)
    summary = {"parameters": 1234567, "epochs": 9, "best_epoch": 2 * seed, "seconds": 90.0 * seed}
    for name, content in {"done": summary, **files}.items():
        path = run / f"{name.replace('__', '/')}.json"
        path.write_text(json.dumps(content))
    return run


@pytest.fixture
def runs(folder):
    write_table(folder, SPECIFICATION)
    for (row, seed), (f1, tags) in RUNS.items():
        metrics = {"precision": f1 + 0.1, "recall": f1 - 0.1, "f1": f1, "loss": 3.0}
        parsed = {**metrics, "f1": f1 - 0.2}
        run = write_run(folder, row, seed, train__metrics={"best_validation_f1": f1 + 0.2}, test=metrics, parsed=parsed)
        write(run / "test.jsonl", predictions(tags))
    # Begun, and not finished.
    (folder / "output/tables/t/none-1").mkdir()
    return folder


def cells(text, evaluation="test"):
    """The cells of each row by their titles, in the table of an evaluation."""
    lines = text.partition(f"{evaluation}:\n\n")[2].partition("\n\n")[0].splitlines()
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
        "minutes": "2.2",
        "development F1": "75.00 ± 7.07",
        "precision": "65.00 ± 7.07",
        "recall": "45.00 ± 7.07",
        "F1": f"{100 * mean([0.5, 0.6]):.2f} ± {100 * stdev([0.5, 0.6]):.2f}",
        "difference to `base`": "–",
        "95 % interval": "–",
        "p": "–",
    }
    assert (rows["late"]["seeds"], rows["late"]["F1"]) == ("1", "55.00")


def test_differences_to_the_reference(runs):
    rows = cells(tables("t"))
    paths = {(row, seed): f"output/tables/t/{row}-{seed}/test.jsonl" for row, seed in RUNS}
    base = [paths["base", 1], paths["base", 2]]
    ours, late = compare([paths["ours", 1], paths["ours", 2]], base), compare([paths["late", 1]], base)
    low, high = ours["difference"]["confidence_interval"]
    assert float(rows["ours"]["difference to `base`"]) == pytest.approx(100 * ours["difference"]["score"], abs=0.01)
    assert rows["ours"]["95 % interval"] == f"{100 * low:+.2f} to {100 * high:+.2f}"
    p_values = holm([ours["p_value"], late["p_value"]])
    assert [rows["ours"]["p"], rows["late"]["p"]] == [f"{p_value:.4f}" for p_value in p_values]
    # Nothing was predicted there.
    parsed = cells(tables("t"), "parsed")
    assert (parsed["ours"]["F1"], parsed["ours"]["p"]) == ("52.50 ± 3.54", "–")


def test_names_what_is_missing(runs):
    text = tables("t")
    assert cells(text)["none"] == {**dict.fromkeys(cells(text)["none"], "–"), "": "`none`", "seeds": "0 of 2"}
    assert "Missing, 2 of 7 runs:\n\n- t: none, seed 1\n- t: none, seed 2" in text
    write_table(runs, {**SPECIFICATION, "seeds": 3})
    rows = cells(tables("t"))
    assert (rows["base"]["seeds"], rows["late"]["seeds"]) == ("2 of 3", "1")
    assert "t: ours, seed 3" in tables("t")


def test_an_order_of_other_rows(runs):
    write_table(runs, {**SPECIFICATION, "order": ["base", "ours", "later"]})
    with pytest.raises(ConfigurationError, match="found late, later, none in order or in rows alone"):
        tables("t")


def test_no_run_at_all(folder):
    write_table(folder, SPECIFICATION)
    assert set(cells(tables("t"))["base"].values()) == {"`base`", "0 of 2", "–"}


def test_predictions_without_gold_tags_are_compared_with_the_data(runs):
    expected = cells(tables("t"))["ours"]
    rows = [zip(words, tags, strict=True) for words, tags in zip(WORDS, GOLD, strict=True)]
    (runs / "test.conllu").write_text("\n".join("".join(f"{word} {tag}\n" for word, tag in row) for row in rows))
    reader = {"type": "tagged_sentences", "corpus": {"type": "columns"}, "coding_scheme": "BIO"}
    for (row, seed), (_, tags) in RUNS.items():
        run = runs / f"output/tables/t/{row}-{seed}"
        write(run / "test.jsonl", predictions(tags, without=("gold_tags",)))
        (run / "train/config.json").write_text(json.dumps({"dataset_reader": reader}))
    assert cells(tables("t"))["ours"] == expected


def test_gold_spans_are_those_of_the_data_where_one_system_has_no_gold_tags(runs):
    # The city of the first sentence has a name inside, which the tagger's gold tags do not have.
    inner = [["O", "O", "O", "B-name"], ["O"], ["O", "O", "O", "O"]]
    text = "".join(
        "".join(f"{word} {tag} {other}\n" for word, tag, other in zip(*row, strict=True)) + "\n"
        for row in zip(WORDS, GOLD, inner, strict=True)
    )
    (runs / "test.txt").write_text(text)
    corpus = {"type": "columns", "tag_column": [1, 2]}
    evaluation = {"data": "test.txt", "overrides": {"validation_dataset_reader.corpus": corpus}}
    write_table(runs, {**SPECIFICATION, "evaluations": {"test": evaluation}})
    reader = {"type": "entity_spans", "corpus": {"type": "columns", "tag_column": 3}}
    for seed in (1, 2):
        run = runs / f"output/tables/t/ours-{seed}"
        lines = list(predictions(FIRST, without=("gold_tags", "tags")))
        lines[0]["entities"].append({"start": 3, "end": 4, "label": "name", "probability": 0.8})
        write(run / "test.jsonl", lines)
        config = {"dataset_reader": reader, "validation_dataset_reader": reader}
        (run / "train/config.json").write_text(json.dumps(config))
        base = runs / f"output/tables/t/base-{seed}"
        write(base / "test.jsonl", predictions(FIRST))
    # All four entities against three of them, of which all are right: F1 100 and 2 * 3 / (3 + 4).
    assert cells(tables("t"))["ours"]["difference to `base`"] == f"{100 - 600 / 7:+.2f}"


def test_threads_in_folds(folder):
    specification = {
        **SPECIFICATION,
        "rows": {"base": {}, "ours": {}},
        "order": ["ours", "base"],
        "seeds": 1,
        "folds": 3,
        "metric": "joint_f1",
    }
    del specification["evaluations"]
    write_table(folder, specification)
    for row, joint, link in (("base", 0.4, "a"), ("ours", 0.6, None)):
        names = ("link_f1", "act_f1", "joint_f1", "joint_thread_accuracy")
        scores = {name: {"mean": joint + 0.1 * number, "std": None, "folds": []} for number, name in enumerate(names)}
        summary = {"metrics": scores, "validation_metrics": {"joint_f1": {"mean": joint - 0.1}}}
        run = write_run(folder, row, 1, train__cross_validation=summary)
        posts = [
            {"id": "a", "link": None, "act": "x", "gold_links": [{"to": None, "act": "x"}]},
            {"id": "b", "link": link, "act": "x", "gold_links": [{"to": None, "act": "x"}]},
        ]
        write(run / "train/predictions.jsonl", [{"id": "t", "posts": posts}] * 2)
    rows = cells(tables("t"), "folds")
    assert list(rows) == ["ours", "base"]
    assert rows["ours"]["link F1"] == "60.00" and rows["ours"]["joint F1"] == "80.00"
    assert rows["ours"]["joint thread accuracy"] == "90.00" and rows["ours"]["development joint F1"] == "50.00"
    assert rows["ours"]["difference to `base`"] == "+50.00"


def test_a_metric_that_is_no_percentage_and_cannot_be_compared(folder):
    specification = {**SPECIFICATION, "rows": {"base": {}}, "metric": "perplexity", "evaluations": {"test": {}}}
    del specification["order"]
    write_table(folder, {**specification, "columns": ["perplexity", "unknown_words"], "reference": None})
    scores = {"best_validation_perplexity": 110.4}
    write_run(folder, "base", 1, train__metrics=scores, test={"perplexity": 118.04, "unknown_words": 0.05})
    row = cells(tables("t"))["base"]
    assert (row["development perplexity"], row["perplexity"], row["unknown words"]) == ("110.40", "118.04", "5.00")
    assert "p" not in row


@pytest.mark.parametrize(
    "p_values, corrected",
    [
        ([], []),
        ([0.03], [0.03]),
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
        ([0.5, 0.9, 0.01], [1.0, 1.0, 0.03]),
        # The example of a decreasing product, which the correction does not follow.
        ([0.02, 0.021], [0.04, 0.04]),
    ],
)
def test_holms_correction(p_values, corrected):
    assert holm(p_values) == pytest.approx(corrected)


def test_prints_tables(runs, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["tabulate", "t"])
    main()
    printed = capsys.readouterr().out
    assert printed.startswith("t, parsed:\n\n|  | parameters |")
    assert "\n\ntest:\n\n|" in printed
