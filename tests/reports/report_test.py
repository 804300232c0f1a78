import hashlib
import json
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.evaluated import entities, evaluated, system
from helpers.two_systems import GOLD, SECOND, WORDS, predictions, write, write_systems

from nerzoo.formats.columns import ColumnsCorpus
from nerzoo.formats.jsonl import JsonlCorpus, Prediction
from nerzoo.reports.report import build_report, report_from_files, sentence_errors, write_report

RIGHT = evaluated("0-2 A, 4-5 B", "0-2 A, 4-5 B", document_id="d", position=1)
WRONG = evaluated("0-2 A, 4-5 B", "4-5 C", document_id="d", position=2)
TRAINING = [Prediction("train:1", list("abcdefghij"), gold=entities("0-2 A, 4-5 D"))]


def test_one_run():
    report = build_report([system("a", [RIGHT, WRONG])])
    assert json.loads(json.dumps(report)) == report
    assert report["data"] == {
        "num_sentences": 2,
        "num_documents": 1,
        "num_words": 20,
        "num_entities": 4,
        "types": {"A": 2, "B": 2, "C": 0},
    }
    (only,) = report["systems"]
    assert (only["name"], only["files"], only["standard_deviation"]) == ("a", ["a-1.jsonl"], None)
    assert only["scores"]["strict"]["precision"] == pytest.approx(2 / 3) and only["scores"]["strict"]["recall"] == 0.5
    assert only["by_type"]["B"]["strict"]["f1"] == pytest.approx(2 / 3)
    assert only["errors"]["missed"] == only["errors"]["wrong type"] == 1
    assert [each["name"] for each in report["groupings"]] == list(only["groups"]) == ["length", "sentence_length"]
    assert (only["calibration"], report["training"], report["comparisons"]) == (None, None, [])
    assert [sentence["index"] for sentence in report["sentences"]] == [1]
    assert report["warnings"] == ["a predicts types that no gold entity has: C."]


def test_means_over_runs():
    (only,) = build_report([system("a", [RIGHT, WRONG], [RIGHT, RIGHT])])["systems"]
    assert only["f1_of_runs"] == [pytest.approx(4 / 7), 1.0]
    assert only["scores"]["strict"]["f1"] == pytest.approx((4 / 7 + 1) / 2)
    assert only["standard_deviation"] == pytest.approx(3 / 7 / 2**0.5)
    assert (only["scores"]["strict"]["correct"], only["errors"]["missed"]) == (3, 0.5)
    assert only["by_type"]["C"]["strict"]["predicted"] == 0.5


def test_probabilities_of_all_runs():
    runs = [[evaluated("0-1 A", "0-1 A", probabilities=[value])] for value in (0.5, 0.75)]
    (only,) = build_report([system("a", *runs)])["systems"]
    assert (only["calibration"]["overall"]["count"], only["calibration"]["by_type"]["A"]["count"]) == (2, 2)


def test_systems_are_compared_with_the_first():
    systems = [system("a", [RIGHT, RIGHT]), system("b", [RIGHT, WRONG]), system("c", [WRONG, RIGHT])]
    report = build_report(systems, num_resamples=9)
    assert [(each["first"], each["second"]) for each in report["comparisons"]] == [("a", "b"), ("a", "c")]
    assert [each["differing"] for each in report["comparisons"]] == [[1], [0]]


def test_training_data():
    report = build_report([system("a", [RIGHT, WRONG])], TRAINING)
    assert report["training"]["num_duplicates"] == 2
    assert report["warnings"][1:] == [
        "Training data has no entity of these types: B.",
        "Training data has 2 of the 2 sentences, and near-duplicates of 0 more; 2 of all these have entities, so that "
        "scores may be too high.",
    ]
    assert "familiarity" in report["systems"][0]["groups"]
    empty = evaluated("", "")
    assert build_report([system("a", [empty])], TRAINING)["warnings"][-1].endswith("0 of all these have entities.")
    other = evaluated("", "", words=["other"])
    assert len(build_report([system("a", [other])], TRAINING)["warnings"]) == 2


def test_no_entity_at_all():
    report = build_report([system("a", [evaluated("", "")]), system("b", [evaluated("", "")])])
    assert report["warnings"] == [
        "The gold annotation has no entity: there is nothing to find, and recall and F1 are 0.",
        "a predicts no entity.",
        "b predicts no entity.",
        "Of one sentence there are no intervals and no p values.",
    ]
    assert report["data"]["num_documents"] is None and report["sentences"] == []
    assert report["systems"][0]["scores"]["strict"]["f1"] == 0.0


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
        report_from_files([[path]], gold_file=gold, train_file=gold, corpus=ColumnsCorpus()),
        report_from_files([[path]], gold_file=gold, train_file=gold, config_file=str(config)),
    ]
    assert reports[0]["systems"] == reports[1]["systems"]
    assert [sentence["location"] for sentence in reports[0]["sentences"]] == [f"{gold}:{line}" for line in (1, 6, 8)]
    kinds = [(file["kind"], file["path"]) for file in reports[0]["origin"]["files"]]
    assert kinds == [("predictions of bare", path), ("gold entities", gold), ("training data", gold)]
    assert reports[0]["origin"]["files"][1]["sha256"] == hashlib.sha256(Path(gold).read_bytes()).hexdigest()
    assert reports[0]["training"]["num_duplicates"] == reports[1]["training"]["num_duplicates"] == 3
    own = report_from_files([[files[1]]])
    assert own["systems"][0]["scores"] == reports[0]["systems"][0]["scores"] and own["training"] is None


def test_annotation_that_is_least_believed_where_predictions_tell(files, gold, tmp_path):
    believed = {"start": 2, "end": 4, "label": "city", "probability": 0.75}
    sentence = {
        "words": WORDS[0],
        "tags": GOLD[0],
        "gold_entities": [{**believed, "label": "date", "probability": 0.1}],
    }
    path = write(tmp_path / "believed.jsonl", [{**sentence, "entities": [believed]}])
    report = report_from_files([[path]])
    assert [(error["kind"], error["probability"]) for error in report["label_errors"]] == [("type", 0.1)]
    write_report(report, tmp_path / "report")
    assert "Annotation that is least believed" in (tmp_path / "report/report.md").read_text()
    assert report_from_files([[files[1]]])["label_errors"] == []
    one = write(tmp_path / "gold.jsonl", [sentence | {"entities": [believed]}])
    assert report_from_files([[path]], gold_file=one, corpus=JsonlCorpus())["label_errors"] == []


def test_predictions_in_columns(gold):
    report = report_from_files([[gold]], gold_file=gold, corpus=ColumnsCorpus(), predictions_corpus=ColumnsCorpus())
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
        report_from_files([[files[0]]], **options)


def test_training_data_without_entities(files, tmp_path):
    path = tmp_path / "pos.txt"
    path.write_text("yes NN\n")
    with pytest.raises(ConfigurationError, match="pos.txt:1: found a label for each word, expected entities"):
        report_from_files([[files[0]]], train_file=str(path), corpus=ColumnsCorpus(coding_scheme=None))
    path.write_text("")
    with pytest.raises(ConfigurationError, match="pos.txt: found no sentence"):
        report_from_files([[files[0]]], train_file=str(path), corpus=ColumnsCorpus())


def test_files_are_written(files, tmp_path):
    report = report_from_files([[files[0]], [files[1]]], num_resamples=9)
    folder = tmp_path / "new" / "report"
    write_report(report, folder, "Two systems")
    assert sorted(path.name for path in folder.iterdir()) == ["report.html", "report.json", "report.md"]
    assert json.loads((folder / "report.json").read_text()) == json.loads(json.dumps(report))
    assert (folder / "report.md").read_text().startswith("# Two systems\n")
    assert "<h1>Two systems</h1>" in (folder / "report.html").read_text()
    with pytest.raises(ConfigurationError, match="report: found an output that exists"):
        write_report(report, folder)


def test_the_worst_come_first():
    right = evaluated("0-1 A", "0-1 A")
    one = evaluated("0-1 A", "", document_id="d")
    three = evaluated("0-1 A, 2-4 B", "5-6 C, 2-3 B", probabilities=[0.5, 0.25])
    worst, other = sentence_errors([system("a", [right, one, three])])
    assert (worst["index"], worst["num_errors"], other["index"], other["document_id"]) == (2, 3, 1, "d")
    assert worst["gold"] == [{"start": 0, "end": 1, "label": "A"}, {"start": 2, "end": 4, "label": "B"}]
    (run,) = worst["systems"][0]["runs"]
    assert run["predicted"][1] == {"start": 2, "end": 3, "label": "B", "probability": 0.25}
    assert [error["kind"] for error in run["errors"]] == ["missed", "wrong boundary", "spurious"]
    assert run["errors"][2] == {"kind": "spurious", "gold": None, "predicted": {"start": 5, "end": 6, "label": "C"}}


def test_systems_and_runs():
    right, wrong = evaluated("0-1 A", "0-1 A"), evaluated("0-1 A", "0-1 B")
    (sentence,) = sentence_errors([system("a", [right, right], [right, wrong]), system("b", [right, wrong])])
    assert (sentence["index"], sentence["num_errors"]) == (1, 1.5)
    assert [(each["name"], each["num_errors"], len(each["runs"])) for each in sentence["systems"]] == [
        ("a", 0.5, 2),
        ("b", 1.0, 1),
    ]


def test_no_error():
    assert sentence_errors([system("a", [evaluated("0-1 A", "0-1 A")])]) == []
