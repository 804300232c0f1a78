"""The report on a bench whose runs are done, and on a system that came as a file."""

import json
import re

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.benches import FILES, PEOPLE_AND_PLACES, do_bench
from helpers.evaluated import evaluated, system
from helpers.pages import Page

from nerzoo.evaluation.significance import holm
from nerzoo.formats.columns import ColumnsCorpus
from nerzoo.formats.conllu import ConlluCorpus
from nerzoo.runs.bench_report import compare_pairs, found_alone, write_bench_report


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    """A bench of a CRF with 60 iterations."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("nerzoo.runs.systems.FeatureCrf.full_epochs", 60)
        return do_bench(tmp_path_factory.mktemp("bench") / "bench", patch)


def write(bench, others=None, corpus=None):
    return write_bench_report(bench, corpus or ColumnsCorpus(), others or {}, "nerzoo bench ...", "A title", 99)


@pytest.fixture(scope="module")
def report(bench):
    # Gold tags as the predictions of a system, and a system that misses the persons.
    without = bench.folder.parent / "without.conll"
    without.write_text(re.sub(r"[BI]-person", "O", (PEOPLE_AND_PLACES / "test.txt").read_text()))
    return write(bench, {"gold": [FILES[2]], "places": [str(without)]})


def test_systems_stand_in_order_of_their_f1(report):
    gold, *_ = report["systems"]
    assert [gold["name"], gold["f1"], gold["is_trained"]] == ["gold", 1.0, False]
    assert {system["name"] for system in report["systems"]} == {"gold", "places", "feature_crf"}
    scores = [system["f1"] for system in report["systems"]]
    assert scores == sorted(scores, reverse=True)
    crf = next(system for system in report["systems"] if system["name"] == "feature_crf")
    assert crf["epochs"] <= 60 and crf["share"] == crf["full"] and crf["runs"][0]["name"] == "feature_crf-1-0"
    assert crf["calibration"] is None and gold["words_per_second"] is None
    assert report["data"] == {
        "num_sentences": 34,
        "num_words": 297,
        "num_entities": 58,
        "types": {"organization": 14, "person": 29, "place": 15},
    }


def test_what_one_finds_alone(report):
    assert report["alone"]["by_none"] == 0
    assert report["alone"]["by_system"]["gold"]["count"] > 0 == report["alone"]["by_system"]["places"]["count"]
    places = next(system for system in report["systems"] if system["name"] == "places")
    assert places["by_type"] == {"organization": 1.0, "person": 0.0, "place": 1.0}


def test_a_page_and_markdown_that_load_nothing(bench, report):
    assert json.loads((bench.folder / "report.json").read_text()) == report
    text = (bench.folder / "report.html").read_text()
    assert not re.search(r"(?:src|href)=[\"'](?!#)|url\(|@import|https?:", text)
    page = Page(text)
    assert page.texts("h1") == ["A title"] and len(page.find("svg")) == 2
    assert "NaN" not in text and ">None<" not in text
    ids = [element[1]["id"] for element in page.elements if "id" in element[1]]
    assert len(ids) == len({*ids})
    markdown = (bench.folder / "report.md").read_text()
    assert "| gold | file | 100.0 | 100.0 to 100.0 |" in markdown
    assert re.search(r"\| gold – places \| \+\d+\.\d \| .* \| (?:not )?significant \|", markdown)
    assert "The best of" not in markdown
    # An entity that the perfect system alone has found: for the page, not for what is published.
    (example, *_) = report["alone"]["by_system"]["gold"]["examples"]
    assert f"{example['text']} ({example['label']})" in text and example["text"] not in markdown
    for rows in re.findall(r"(?:^\|.*\n)+", markdown, re.MULTILINE):
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows.splitlines()}) == 1, rows
    assert bench.facts["sha256"][FILES[2]] in markdown and "nerzoo bench --verify" in markdown


def test_predictions_as_json_lines_with_probabilities(bench, tmp_path):
    lines = [json.loads(line) for line in (bench.folder / "data/gold.jsonl").read_text().splitlines()]
    for line in lines:
        line["entities"] = [{**entity, "probability": 0.75} for entity in line["entities"]]
    path = tmp_path / "sure.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    sure = write(bench, {"sure": [str(path)] * 2})["systems"][0]
    assert len(sure["f1_of_runs"]) == 2 and sure["standard_deviation"] == 0
    assert sure["calibration"]["overall"]["expected_calibration_error"] == pytest.approx(0.25)


def test_nothing_but_what_was_trained(bench):
    report = write(bench)
    assert report["differences"] == [] and len(report["systems"]) == 1
    assert "Which differences" not in (bench.folder / "report.md").read_text()


@pytest.mark.parametrize(
    "name, path, message",
    [
        ("feature_crf", FILES[2], "found --predictions of feature_crf, which is trained here"),
        ("other", FILES[1], "found 33 sentences, expected 34 as in the test data"),
    ],
)
def test_predictions_that_do_not_fit(bench, name, path, message):
    with pytest.raises(ConfigurationError, match=message):
        write(bench, {name: [path]})


def test_what_was_cut_left_out_or_failed_is_said(tmp_path, monkeypatch):
    inputs = [str(PEOPLE_AND_PLACES / f"{part}.conllu") for part in ("dev", "dev", "test")]
    monkeypatch.setattr("nerzoo.runs.systems.SpacyNer.train", _fail)
    more = {"systems": ["spacy", "feature_crf", "fofe_ner"], "minutes": 1e-3, "inputs": inputs}
    bench = do_bench(tmp_path / "bench", monkeypatch, corpus=ConlluCorpus(), **more)
    (run,) = bench.runs
    # As if it had been interrupted.
    record = {**run.record, "starts": 2}
    (run.folder / "record.json").write_text(json.dumps(record))
    write(bench, corpus=ConlluCorpus())
    text = (bench.folder / "report.md").read_text().replace("\\", "")
    assert "> feature_crf had 1 of 100 epochs, to stay within 0.001 minutes." in text
    assert "> feature_crf: runs that were interrupted, 1; their times are of the last part." in text
    assert "> Entities are nested" in text and "are scored by all: feature_crf." in text
    assert "> fofe_ner is left out: entities are nested" in text
    assert "> spacy (in its pilot) has failed, and is missing; its log says why." in text


def _fail(self, specification, folder):
    raise ValueError("out of memory")


def test_folds_are_put_together(tmp_path, monkeypatch):
    path = str(PEOPLE_AND_PLACES / "train.txt")
    bench = do_bench(tmp_path / "bench", monkeypatch, inputs=[path], folds=3)
    report = write(bench, {"gold": [path]})
    assert report["systems"][0]["f1"] == 1.0
    assert [run["split"] for run in report["systems"][1]["runs"]] == [0, 1, 2]
    bench.runs[1].folder.joinpath("record.json").unlink()
    report = write(bench, {"gold": [path]})
    assert [system["name"] for system in report["systems"]] == ["gold"]
    assert report["missing"] == ["feature_crf (seed 1)"]
    with pytest.raises(ConfigurationError, match="found no run that is done, expected one at least; see the logs"):
        write(bench)


RIGHT = [evaluated("0-2 A, 4-5 B", "0-2 A, 4-5 B")] * 20
HALF = [evaluated("0-2 A, 4-5 B", "0-2 A")] * 20
WRONG = [evaluated("0-2 A, 4-5 B", "0-1 A, 4-5 C")] * 20


def test_all_pairs_are_compared_and_corrected():
    intervals, pairs = compare_pairs([system("r", RIGHT), system("h", HALF), system("w", WRONG)], 999, 1)
    assert [(pair["first"], pair["second"]) for pair in pairs] == [("r", "h"), ("r", "w"), ("h", "w")]
    assert [pair["difference"] for pair in pairs] == pytest.approx([1 / 3, 1.0, 2 / 3])
    assert [pair["corrected"] for pair in pairs] == holm([pair["p_value"] for pair in pairs])
    assert all(pair["corrected"] >= 3 * 0.001 and pair["corrected"] < 0.05 for pair in pairs)
    assert intervals["r"] == [1.0, 1.0] and intervals["w"] == [0.0, 0.0]


def test_equal_systems_differ_by_noise():
    _, (pair,) = compare_pairs([system("one", HALF), system("other", HALF)], 99, 1)
    assert (pair["difference"], pair["p_value"], pair["corrected"]) == (0.0, 1.0, 1.0)


def test_one_system_has_an_interval():
    intervals, pairs = compare_pairs([system("h", HALF)], 99, 1)
    assert pairs == [] and intervals["h"] == pytest.approx([2 / 3, 2 / 3])


def test_what_one_finds_and_no_other_does():
    systems = [
        system("a", [evaluated("0-2 A, 4-5 B, 7-8 C", "0-2 A")]),
        system("b", [evaluated("0-2 A, 4-5 B, 7-8 C", "0-2 A, 4-5 B")]),
    ]
    found = found_alone(systems)
    assert (found["by_any"], found["by_none"]) == (2, 1)
    assert found["by_system"]["a"] == {"count": 0, "examples": []}
    (example,) = found["by_system"]["b"]["examples"]
    assert example == {"text": "e", "label": "B", "sentence": "a b c d e f g h i j"}


def test_a_system_finds_what_most_of_its_runs_find():
    runs = [[evaluated("0-2 A", found)] for found in ("0-2 A", "0-2 A", "")]
    assert found_alone([system("a", *runs)])["by_system"]["a"]["count"] == 1
    assert found_alone([system("a", *runs[1:])])["by_none"] == 1
