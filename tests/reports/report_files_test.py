import json

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.two_systems import GOLD, SECOND, WORDS, predictions, write, write_systems

from nerzoo.formats.columns import ColumnsCorpus
from nerzoo.formats.jsonl import JsonlCorpus
from nerzoo.reports.report import report_of_files, write_report


@pytest.fixture
def files(tmp_path):
    return write_systems(tmp_path)


@pytest.fixture
def gold(tmp_path):
    path = tmp_path / "gold.txt"
    rows = [zip(words, tags, strict=True) for words, tags in zip(WORDS, GOLD, strict=True)]
    path.write_text("\n".join("".join(f"{word} {tag}\n" for word, tag in row) for row in rows))
    return str(path)


def test_gold_and_training_data_of_a_corpus_or_as_a_configuration_reads_them(files, gold, tmp_path):
    config = tmp_path / "config.json"
    reader = {"type": "tagged_sentences", "corpus": {"type": "columns"}}
    config.write_text(json.dumps({"dataset_reader": reader}))
    path = write(tmp_path / "bare.jsonl", predictions(SECOND, without=("gold_tags",)))
    reports = [
        report_of_files([[path]], gold_file=gold, train_file=gold, corpus=ColumnsCorpus()),
        report_of_files([[path]], gold_file=gold, train_file=gold, config_file=str(config)),
    ]
    assert reports[0]["systems"] == reports[1]["systems"]
    assert reports[0]["training"]["num_duplicates"] == reports[1]["training"]["num_duplicates"] == 3
    own = report_of_files([[files[1]]])
    assert own["systems"][0]["scores"] == reports[0]["systems"][0]["scores"] and own["training"] is None


def test_annotation_that_is_least_believed_where_predictions_tell(files, gold, tmp_path):
    believed = {"start": 2, "end": 4, "label": "city", "probability": 0.75}
    sentence = {
        "words": WORDS[0],
        "tags": GOLD[0],
        "gold_entities": [{**believed, "label": "date", "probability": 0.1}],
    }
    path = write(tmp_path / "believed.jsonl", [{**sentence, "entities": [believed]}])
    report = report_of_files([[path]])
    assert [(error["kind"], error["probability"]) for error in report["label_errors"]] == [("type", 0.1)]
    write_report(report, tmp_path / "report")
    assert "Annotation that is least believed" in (tmp_path / "report/report.md").read_text()
    assert report_of_files([[files[1]]])["label_errors"] == []
    one = write(tmp_path / "gold.jsonl", [sentence | {"entities": [believed]}])
    assert report_of_files([[path]], gold_file=one, corpus=JsonlCorpus())["label_errors"] == []


def test_predictions_in_columns(gold):
    report = report_of_files([[gold]], gold_file=gold, corpus=ColumnsCorpus(), predictions_corpus=ColumnsCorpus())
    assert report["systems"][0]["scores"]["strict"]["f1"] == 1.0


@pytest.mark.parametrize(
    "options, message",
    [
        ({"gold_file": "x"}, "found neither of --corpus and --config, expected one of them, which reads --gold"),
        ({"train_file": "x"}, "found neither of --corpus and --config"),
        ({"corpus": ColumnsCorpus(), "config_file": "x"}, "found both --corpus and --config"),
        ({"num_resamples": 0}, "found --num-resamples 0, expected at least 1"),
    ],
)
def test_options(files, options, message):
    with pytest.raises(ConfigurationError, match=message):
        report_of_files([[files[0]]], **options)


def test_training_data_without_entities(files, tmp_path):
    path = tmp_path / "pos.txt"
    path.write_text("yes NN\n")
    with pytest.raises(ConfigurationError, match="pos.txt:1: found a label for each word, expected entities"):
        report_of_files([[files[0]]], train_file=str(path), corpus=ColumnsCorpus(coding_scheme=None))
    path.write_text("")
    with pytest.raises(ConfigurationError, match="pos.txt: found no sentence"):
        report_of_files([[files[0]]], train_file=str(path), corpus=ColumnsCorpus())


def test_files_are_written(files, tmp_path):
    report = report_of_files([[files[0]], [files[1]]], num_resamples=9)
    folder = tmp_path / "new" / "report"
    write_report(report, folder, "Two systems")
    assert sorted(path.name for path in folder.iterdir()) == ["report.html", "report.json", "report.md"]
    assert json.loads((folder / "report.json").read_text()) == json.loads(json.dumps(report))
    assert (folder / "report.md").read_text().startswith("# Two systems\n")
    assert "<h1>Two systems</h1>" in (folder / "report.html").read_text()
    with pytest.raises(ConfigurationError, match="report: found an output that exists"):
        write_report(report, folder)
