"""`nerzoo tune-thresholds` on a model trained on the fixture, and what is wrong input to it."""

import json
import shutil
import tarfile

import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.models.archival import load_archive
from helpers.commands import allennlp
from helpers.paths import ROOT

from nerzoo.archives.packing import copy_archive
from nerzoo.evaluation.thresholds import tune_thresholds
from nerzoo.modules.span_decoders import LongestFirst

CONFIG = "training_config/fofe_ner/small/nested.jsonnet"
DEV_FILE = ROOT / "fixtures/people_and_places/dev.conllu"
TEST_FILE = ROOT / "fixtures/people_and_places/test.conllu"
# Far from the best ones; the second level merges, the first one does not.
LEVELS = [
    {"type": "highest_first", "threshold": 0.95, "merge_adjacent": False},
    {"type": "longest_first", "threshold": 0.9, "merge_adjacent": True},
]


def train(folder, config=CONFIG, **overrides):
    overrides = {"trainer.num_epochs": 12, "trainer.cuda_device": -1, **overrides}
    allennlp("train", config, "--serialization-dir", folder, overrides=overrides)
    return folder / "model.tar.gz"


def evaluate(archive, file, output):
    allennlp("evaluate", archive, file, "--output-file", output)
    return json.loads(output.read_text())


def tune(archive, file, output, *args):
    allennlp("tune-thresholds", archive, file, "--output-file", output, *args)
    return output


def contents(archive):
    with tarfile.open(archive) as file:
        return {member.name: file.extractfile(member).read() for member in file if member.isfile()}


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    # With such levels, the epoch of the highest F1 would be one that finds nothing.
    overrides = {"model.decoder.levels": LEVELS, "trainer.validation_metric": "-loss"}
    return train(tmp_path_factory.mktemp("trained"), **overrides)


@pytest.fixture(scope="module")
def tuned(archive, tmp_path_factory):
    return tune(archive, DEV_FILE, tmp_path_factory.mktemp("tuned") / "tuned.tar.gz")


def test_the_archives_score_what_the_search_says(archive, tuned, tmp_path):
    found, own, _ = tune_thresholds(str(archive), str(DEV_FILE), str(tmp_path / "tuned.tar.gz"), batch_size=7)
    # The grid, and the threshold that the first level has, with each bias.
    assert len(found) == 15 * 14 * 5
    assert own.none_bias == 0 and isinstance(own.levels[1], LongestFirst)
    assert [level.threshold for level in own.levels] == [0.95, 0.9]
    for path, expected in ((tuned, found[0]), (archive, own)):
        scores = evaluate(path, DEV_FILE, tmp_path / "scores.json")
        assert [scores[name] for name in ("precision", "recall", "f1")] == pytest.approx(expected[1:4], abs=1e-12)
    assert found[0].f1 > own.f1 + 0.05


def test_tuning_changes_only_the_levels_and_the_bias(archive, tuned):
    before, after = contents(archive), contents(tuned)
    old, new = json.loads(before.pop("config.json")), json.loads(after.pop("config.json"))
    assert before.pop("checksums.sha256") != after.pop("checksums.sha256")
    assert before == after and {"weights.th", "meta.json", "vocabulary/labels.txt"} <= after.keys()
    levels = new["model"].pop("decoder")["levels"]
    assert old["model"].pop("decoder")["levels"] == LEVELS
    assert new["model"].pop("none_bias", 0) == load_archive(tuned).model.none_bias
    assert new == old
    assert len(levels) == 2 and levels[0]["threshold"] < 0.95
    assert [level.merge_adjacent for level in load_archive(tuned).model.decoder.levels] == [False, True]


def test_the_new_archive_predicts(tuned, tmp_path):
    output = tmp_path / "predictions.jsonl"
    allennlp("predict", tuned, TEST_FILE, "--use-dataset-reader", "--output-file", output, "--silent")
    predictions = [json.loads(line) for line in output.read_text().splitlines()]
    assert len(predictions) == 34 and any(prediction["entities"] for prediction in predictions)


def test_the_table_has_the_best_combinations_and_the_archives_own(archive, tmp_path, capsys):
    tune(archive, DEV_FILE, tmp_path / "tuned.tar.gz", "--batch-size", 5)
    lines = capsys.readouterr().out.splitlines()
    start = lines.index(f"1050 combinations on {DEV_FILE}, best first")
    assert lines[start + 1].split() == ["precision", "recall", "f1", "bias", "level", "1", "level", "2"]
    rows = [line.split() for line in lines[start + 2 : start + 13]]
    assert rows[-1][3:] == ["0", "highest_first", "0.95", "longest_first", "0.9", "*"]
    assert [row[-1] == "*" for row in rows] == [False] * 10 + [True]
    f1 = [float(row[2]) for row in rows]
    assert f1 == sorted(f1, reverse=True)


def test_tuning_what_is_tuned_changes_nothing(tuned, tmp_path):
    again = tune(tuned, DEV_FILE, tmp_path / "again.tar.gz")
    first, second = (json.loads(contents(path)["config.json"]) for path in (tuned, again))
    assert first == second


def test_a_bias_finds_entities_that_are_most_probably_none(archive, tmp_path):
    config = json.loads(contents(archive)["config.json"])
    config["model"] |= {"none_bias": 6.0, "temperature": 1.5, "decoder": {"levels": [{"threshold": 0.3}]}}
    copy_archive(archive, tmp_path / "biased.tar.gz", config)
    found, own, _ = tune_thresholds(str(tmp_path / "biased.tar.gz"), str(DEV_FILE), str(tmp_path / "tuned.tar.gz"))
    assert own.none_bias == 6 and own.recall < 0.1 < found[0].recall and found[0].none_bias <= 0
    scores = evaluate(tmp_path / "tuned.tar.gz", DEV_FILE, tmp_path / "scores.json")
    assert scores["f1"] == pytest.approx(found[0].f1, abs=1e-12)


def test_a_configuration_without_a_decoder(archive, tmp_path):
    config = json.loads(contents(archive)["config.json"])
    del config["model"]["decoder"]
    copy_archive(archive, tmp_path / "default.tar.gz", config)
    tune(tmp_path / "default.tar.gz", DEV_FILE, tmp_path / "tuned.tar.gz")
    (level,) = json.loads(contents(tmp_path / "tuned.tar.gz")["config.json"])["model"]["decoder"]["levels"]
    assert level.keys() == {"type", "threshold", "merge_adjacent"} and not level["merge_adjacent"]


def test_a_filter_keeps_what_is_found_without_it(tmp_path, capsys):
    archive = train(tmp_path / "trained", **{"model.span_filter": {"threshold": 0.9}})
    tuned = tune(archive, DEV_FILE, tmp_path / "tuned.tar.gz", "--filter-loss", 0)
    lines = capsys.readouterr().out.splitlines()
    best = next(line for line, before in zip(lines[1:], lines, strict=False) if before.startswith("precision"))
    scores = evaluate(tuned, DEV_FILE, tmp_path / "scores.json")
    assert scores["filter_recall"] >= scores["recall"] >= float(best.split()[1]) / 100 - 0.0005 > 0
    (line,) = [line for line in lines if line.startswith("filter:")]
    assert line.endswith(f" keeps {scores['filter_share']:.1%} of the spans and 100.0% of the entities found")
    config = json.loads(contents(tuned)["config.json"])
    assert 0 < config["model"]["span_filter"]["threshold"] < 0.9


def test_filter_loss_is_a_share(archive, tmp_path):
    with pytest.raises(ConfigurationError, match="found the filter_loss 2, expected a number from 0 to 1"):
        tune(archive, DEV_FILE, tmp_path / "tuned.tar.gz", "--filter-loss", 2)


def test_an_archive_of_another_model_is_an_error(deptree_ner, tmp_path):
    with pytest.raises(ConfigurationError, match="found a model of type sequence_tagger, expected fofe_ner"):
        tune(deptree_ner / "model.tar.gz", DEV_FILE, tmp_path / "tuned.tar.gz")


def test_a_calibrated_archive_is_an_error(archive, tmp_path):
    config = json.loads(contents(archive)["config.json"])
    config["model"]["min_probability"] = 0.9
    copy_archive(archive, tmp_path / "calibrated.tar.gz", config)
    with pytest.raises(ConfigurationError, match="found model.min_probability 0.9, .*, expected 0: tune thresholds"):
        tune(tmp_path / "calibrated.tar.gz", DEV_FILE, tmp_path / "tuned.tar.gz")


def test_a_file_without_entities_is_an_error(archive, tmp_path):
    (tmp_path / "none.conllu").write_text("1\tNo\tno\tDET\tDT\t_\t0\troot\t_\t_\n")
    with pytest.raises(ConfigurationError, match="none.conllu: found no entities, expected some to tune"):
        tune(archive, tmp_path / "none.conllu", tmp_path / "tuned.tar.gz")
    assert not (tmp_path / "tuned.tar.gz").exists()


def test_an_output_that_exists_is_an_error_and_stays(archive, tmp_path):
    shutil.copy(archive, tmp_path / "copy.tar.gz")
    with pytest.raises(ConfigurationError, match="copy.tar.gz: found an output that exists"):
        tune(archive, DEV_FILE, tmp_path / "copy.tar.gz")
    assert contents(tmp_path / "copy.tar.gz") == contents(archive)


def test_a_folder_in_place_of_an_archive_is_an_error(archive, tmp_path):
    with pytest.raises(ConfigurationError, match="found the folder .*, expected an archive: its model.tar.gz"):
        tune(archive.parent, DEV_FILE, tmp_path / "tuned.tar.gz")
