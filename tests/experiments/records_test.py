"""Records of made-up output folders."""

import json

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.two_systems import FIRST, GOLD, SECOND, WORDS, predictions, write

from experiments.records import make_record, read_counts
from experiments.runs import table_runs

READER = {"type": "tagged_sentences", "corpus": {"type": "columns"}, "coding_scheme": "BIO"}
SUMMARY = {"parameters": 12, "epochs": 3, "best_epoch": 2}
METRICS = {"best_validation_f1": 0.7, "best_validation_loss": 2.0, "epoch": 2}
TABLE = {"rows": {"ours": {"config": "config.json"}}, "seeds": 1, "metric": "f1"}


@pytest.fixture
def make(tmp_path, monkeypatch):
    """Makes the record of the run of a table with these options, after `files` are written into its folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATA", str(tmp_path))
    (tmp_path / "experiments/tables").mkdir(parents=True)
    (tmp_path / "config.json").write_text(json.dumps({"dataset_reader": READER, "train_data_path": "test.txt"}))
    rows = [zip(words, tags, strict=True) for words, tags in zip(WORDS, GOLD, strict=True)]
    (tmp_path / "test.txt").write_text("\n".join("".join(f"{word} {tag}\n" for word, tag in row) for row in rows))

    def record(files, **options):
        (tmp_path / "experiments/tables/t.jsonnet").write_text(json.dumps({**TABLE, **options}))
        run = next(table_runs("t"))
        for name, content in files.items():
            path = run.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".jsonl":
                write(path, content)
            else:
                path.write_text(json.dumps(content))
        # As it is read again.
        return json.loads(json.dumps(make_record(run, SUMMARY)))

    return record


def ratio(record, name="test"):
    numerators, denominators = read_counts(record["evaluations"][name]).sum(0)
    return numerators / denominators


def test_a_record_has_what_tables_need_and_no_text(make):
    files = {"train/metrics.json": METRICS, "test.json": {"f1": 0.6, "types": ["city"]}}
    record = make({**files, "test.jsonl": predictions(SECOND)}, evaluations={"test": {"data": "test.txt"}})
    assert record["development"] == {"f1": 0.7, "loss": 2.0}
    assert record["evaluations"]["test"]["metrics"] == {"f1": 0.6}
    # One right entity of three, of five predicted: 2 * 1 / (3 + 5) for the file.
    assert read_counts(record["evaluations"]["test"]).tolist() == [[0, 2], [0, 1], [2, 4]]
    assert {name: record[name] for name in SUMMARY} == SUMMARY
    assert record["commit"] and not {*sum(WORDS, [])} & {*json.dumps(record).split('"')}


def test_a_table_by_document_counts_documents(make, tmp_path):
    files = {"train/metrics.json": METRICS, "test.json": {"f1": 0.6}}
    documents = [{**line, "doc_id": id} for line, id in zip(predictions(SECOND), "aab", strict=True)]
    evaluations = {"test": {"data": "test.txt"}}
    record = make({**files, "test.jsonl": documents}, evaluations=evaluations, by_document=True)
    assert read_counts(record["evaluations"]["test"]).tolist() == [[0, 3], [2, 4]]


def test_metrics_of_crf_tagger_have_the_names_of_others(make):
    theirs = {"precision-overall": 0.5, "recall-overall": 0.7, "f1-measure-overall": 0.6, "accuracy3": 0.9}
    evaluations = {"test": {"data": "test.txt", "predict": False}}
    record = make({"train/metrics.json": METRICS, "test.json": theirs}, evaluations=evaluations)
    ours = {"precision": 0.5, "recall": 0.7, "f1": 0.6, "accuracy3": 0.9}
    assert record["evaluations"]["test"]["metrics"] == ours


def test_curves(make):
    files = {"train/metrics.json": METRICS, "test.json": {"f1": 0.6}}
    for epoch in range(11):
        metrics = {"training_loss": 20.0 - epoch, "validation_f1-measure-overall": epoch / 20, "validation_loss": 1.0}
        of_process = {"training_duration": "0:00:01", "best_validation_f1-measure-overall": 0.5}
        files[f"train/metrics_epoch_{epoch}.json"] = {**metrics, **of_process}
    record = make(files, evaluations={"test": {"data": "test.txt", "predict": False}})
    assert record["curves"] == {
        "training_loss": [20.0 - epoch for epoch in range(11)],
        "f1": [epoch / 20 for epoch in range(11)],
    }


@pytest.mark.parametrize("options, folder", (({"evaluations": {}}, "train"), ({"folds": 2}, "train/fold-0")))
def test_seconds_are_of_all_processes_that_training_took(make, options, folder):
    # The third epoch is the first one of another process, which went on.
    durations = ("0:00:40.5", "1:01:20", "0:00:30", "0:02:00.25")
    epochs = [{"training_duration": duration, "training_loss": 1.0, "validation_f1": 0.5} for duration in durations]
    files = {f"{folder}/metrics_epoch_{number}.json": metrics for number, metrics in enumerate(epochs)}
    folds = {"metrics": {}, "validation_metrics": {}}
    record = make({**files, "train/metrics.json": METRICS, "train/cross_validation.json": folds}, **options)
    assert record["seconds"] == 3680 + 120.25


def test_an_evaluation_without_predictions(make):
    files = {"train/metrics.json": METRICS, "test.json": {"f1": 0.6}}
    evaluation = make(files, evaluations={"test": {"data": "test.txt", "predict": False}})["evaluations"]["test"]
    assert evaluation == {"metrics": {"f1": 0.6}} and read_counts(evaluation) is None


def test_the_record_of_a_perplexity_sums_log_probabilities(make):
    lines = [{"log_probabilities": row} for row in ([-1.5, -2.25], [-0.123])]
    files = {"train/metrics.json": METRICS, "test.json": {"perplexity": 3.6}, "test.jsonl": lines}
    record = make(files, evaluations={"test": {"data": "test.txt"}}, metric="perplexity")
    assert read_counts(record["evaluations"]["test"]).tolist() == [[-375, 200], [-12, 100]]


def test_gold_tags_are_those_of_the_data_where_predictions_have_none(make):
    files = {"train/metrics.json": METRICS, "test.json": {"f1": 0.6}}
    evaluations = {"test": {"data": "test.txt"}}
    with_tags = make({**files, "test.jsonl": predictions(SECOND)}, evaluations=evaluations)
    without = predictions(SECOND, without=("gold_tags",))
    assert make({**files, "test.jsonl": without}, evaluations=evaluations) == with_tags
    other_words = [["other"], *WORDS[1:]]
    with pytest.raises(ConfigurationError, match="the same sentences in the same order"):
        files["test.jsonl"] = predictions([["O"], *SECOND[1:]], [["O"], *GOLD[1:]], other_words, without=("gold_tags",))
        make(files, evaluations=evaluations)


def test_the_metric_is_of_nested_entities_where_the_table_has_a_row_that_reads_them(make, tmp_path):
    # The city of the first sentence has a name inside, which a tagger's gold tags do not have.
    inner = [["O", "O", "O", "B-name"], ["O"], ["O", "O", "O", "O"]]
    text = "".join(
        "".join(f"{word} {tag} {other}\n" for word, tag, other in zip(*row, strict=True)) + "\n"
        for row in zip(WORDS, GOLD, inner, strict=True)
    )
    (tmp_path / "nested.txt").write_text(text)
    reader = {"type": "entity_spans", "corpus": {"type": "columns", "tag_column": 1}}
    (tmp_path / "spans.json").write_text(json.dumps({"validation_dataset_reader": reader}))
    overrides = {"validation_dataset_reader.corpus.tag_column": [1, 2]}
    files = {"train/metrics.json": METRICS, "test.json": {"f1": 1.0}, "test.jsonl": predictions(FIRST)}
    record = make(
        files,
        rows={**TABLE["rows"], "spans": {"config": "spans.json"}},
        evaluations={"test": {"data": "nested.txt", "overrides": overrides}},
        gold="spans",
    )
    # All four entities against three of them, of which all are right.
    assert record["evaluations"]["test"]["metrics"]["f1"] == pytest.approx(6 / 7) == ratio(record)


@pytest.mark.parametrize("paths", ["test.txt", ["test.txt", "more.txt"]])
def test_folds(make, tmp_path, paths):
    (tmp_path / "config.json").write_text(json.dumps({"dataset_reader": READER, "train_data_path": paths}))
    summary = {
        "metrics": {"f1": {"mean": 0.5, "std": None, "folds": [0.5]}, "never": {"mean": None}},
        "validation_metrics": {"f1": {"mean": 0.6}},
    }
    files = {
        "train/cross_validation.json": summary,
        "train/predictions.jsonl": predictions(FIRST, without=["gold_tags"]),
    }
    record = make(files, folds=2)
    assert record["development"] == {"f1": 0.6}
    assert record["evaluations"]["folds"]["metrics"] == {"f1": 0.5}
    assert ratio(record, "folds") == 1


def test_a_fingerprint_is_of_what_is_trained_and_evaluated(make, tmp_path, monkeypatch):
    def fingerprint(trainer=None, **options):
        config = {"train_data_path": f"{tmp_path}/train.txt", "trainer": {"num_epochs": 3, **(trainer or {})}}
        (tmp_path / "config.json").write_text(json.dumps(config))
        table = {**TABLE, "evaluations": {"test": {"data": "test.txt"}}, **options}
        (tmp_path / "experiments/tables/t.jsonnet").write_text(json.dumps(table))
        return next(table_runs("t")).fingerprint

    before = fingerprint()
    assert fingerprint({"checkpointer": {"keep": 2}}) == before
    assert fingerprint(metric="accuracy") == before
    others = [
        fingerprint({"num_epochs": 4}),
        fingerprint(overrides={"trainer.patience": 1}),
        fingerprint(evaluations={"test": {"data": "dev.txt"}}),
    ]
    assert len({before, *others}) == 4
