"""Calibration of the models of all systems, each trained for two epochs, and of what they promise."""

import functools
import json
import math
import re
import sys
import tarfile

import numpy
import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.models import load_archive
from helpers.paths import FIXTURES

from nerzoo.evaluation.calibrate import (
    Coverage,
    Precision,
    _scores,
    calibrate,
    conformal_threshold,
    held_out,
    precision_threshold,
)
from nerzoo.evaluation.model_scores import Decisions, ModelScores, TaggerScores
from nerzoo.text.annotation import tags_to_entities

FOLDER = FIXTURES / "people_and_places"
FILES = {
    "ner": "dev.txt",
    "memory_ner": "dev.conllu",
    "fofe_ner": "dev.conllu",
    "second_pass": "dev.conllu",
}


# The package has a function of this name, too.
MODULE = sys.modules["nerzoo.evaluation.calibrate"]


@pytest.fixture
def no_objections(monkeypatch):
    """Takes each temperature: the files here are small."""
    monkeypatch.setattr(MODULE, "_objections", lambda *args: [])


def config_of(path):
    with tarfile.open(path) as file:
        return json.loads(file.extractfile("config.json").read()), json.loads(
            file.extractfile("calibration.json").read()
        )


def entities(archive, file):
    model, reader = archive.model.eval(), archive.validation_dataset_reader
    instances = list(reader.read(file))
    found = []
    for prediction in model.forward_on_instances(instances):
        for sentence in prediction.get("sentences", [prediction]):
            found.append(sentence)
    return found


@pytest.mark.parametrize("job", FILES)
def test_the_archive_has_the_temperature_of_the_lowest_likelihood(archives, job, tmp_path, no_objections):
    path, file = str(archives(job)), str(FOLDER / FILES[job])
    summary = calibrate(path, file, str(tmp_path / "a.tar.gz"), test_file=file, batch_size=7)
    temperature, measured = summary["temperature"], summary["development"]
    assert temperature != 1 and measured["before"]["temperature"] == 1
    tested = summary["test"]
    assert tested["after"]["negative_log_likelihood"] < tested["before"]["negative_log_likelihood"]
    assert tested["sentences"] == measured["of"] and "refused" not in measured
    config, written = config_of(tmp_path / "a.tar.gz")
    assert written == summary
    options = config["model"] if job in ("fofe_ner", "second_pass") else config["model"]["head"]
    assert options["temperature"] == temperature
    # What the new archive says without being told a temperature.
    archive = load_archive(tmp_path / "a.tar.gz")
    scores = _scores(archive, "a", file, 5)
    held = held_out(scores.documents, 0.2)
    assert measured["sentences"] == held.sum() == round(0.2 * len(held))
    for part, rows in ((measured, held), (tested, numpy.ones_like(held))):
        for when, used in (("before", 1.0), ("after", temperature)):
            expected = scores.measures(used, rows)
            assert part[when].keys() == expected.keys()
            for name, value in expected.items():
                assert part[when][name] == (None if value is None else pytest.approx(value, rel=1e-4))
    likelihood = scores.negative_log_likelihood(temperature)[~held].mean()
    for factor in (0.9, 1.1):
        assert likelihood < scores.negative_log_likelihood(temperature * factor)[~held].mean()
    sentences = entities(load_archive(tmp_path / "a.tar.gz"), file)
    found = sorted(e["probability"] for sentence in sentences for e in sentence["entities"])
    assert found == pytest.approx(sorted(scores.decisions(temperature).probabilities), rel=1e-4)
    if job in ("ner", "memory_ner"):
        before = entities(load_archive(path), file)
        assert [sentence["tags"] for sentence in sentences] == [sentence["tags"] for sentence in before]


def test_the_likelihood_of_a_tagger_is_that_of_its_gold_tags(archives):
    archive, file = load_archive(archives("ner")), str(FOLDER / "dev.txt")
    scores = TaggerScores(archive, archive.model, file, 6)
    found = scores.negative_log_likelihood(1.0)
    archive.model.eval()
    for row, instance in enumerate(list(archive.validation_dataset_reader.read(file))[:5]):
        archive.model.add_extra_output("n_best")
        archive.model.head.n_best = 300
        prediction = archive.model.forward_on_instance(instance)
        gold = instance["metadata"]["gold_tags"]
        (p,) = [s["probability"] for s in prediction["n_best"] if s["tags"] == gold] or [None]
        if p is not None:
            assert found[row] == pytest.approx(-math.log(p), rel=1e-3)


def test_tags_that_stand_for_themselves(archives, tmp_path, no_objections):
    path, file = str(archives("seq2biseq")), str(FOLDER / "dev.conllu")
    archive = load_archive(path)
    summary = calibrate(path, file, str(tmp_path / "a.tar.gz"))
    assert config_of(tmp_path / "a.tar.gz")[0]["model"]["head"]["temperature"] == summary["temperature"]
    if archive.model.head.coding_scheme is None:
        with pytest.raises(ConfigurationError, match="found precision and tags that stand for themselves"):
            calibrate(path, file, str(tmp_path / "b.tar.gz"), [Precision(0.5)])
    with pytest.raises(ConfigurationError, match="found coverage and a model without n_best sequences"):
        calibrate(path, file, str(tmp_path / "b.tar.gz"), [Coverage(0.5, 5)])


def test_promises_are_in_the_archive_and_kept(archives, tmp_path, no_objections):
    path, file = str(archives("ner")), str(FOLDER / "dev.txt")
    promises = [Coverage(0.3, 50), Precision(0.2)]
    summary = calibrate(path, file, str(tmp_path / "a.tar.gz"), promises, file)
    assert summary["promises"].keys() == {"coverage", "precision"}
    config, _ = config_of(tmp_path / "a.tar.gz")
    head, fitted = config["model"]["head"], summary["promises"]
    assert head["n_best"] == 50 and head["n_best_mass"] == fitted["coverage"]["n_best_mass"]
    assert head["min_probability"] == fitted["precision"]["min_probability"]
    measured = summary["development"]
    assert measured["coverage"]["coverage"] >= 0.3 and measured["precision"]["precision"] >= 0.2
    archive = load_archive(tmp_path / "a.tar.gz")
    archive.model.add_extra_output("n_best")
    predictions = entities(archive, file)
    covered = [any(s["tags"] == p["gold_tags"] for s in p["n_best"]) for p in predictions]
    assert numpy.mean(covered) == pytest.approx(summary["test"]["coverage"]["coverage"])
    kept = [
        (e["start"], e["end"], e["label"]) in tags_to_entities(p["gold_tags"], "BIOUL")
        for p in predictions
        for e in p["entities"]
    ]
    assert len(kept) == summary["test"]["precision"]["kept"]
    assert numpy.mean(kept) == pytest.approx(summary["test"]["precision"]["precision"])
    # What is fitted anew does not see what was there.
    again = calibrate(str(tmp_path / "a.tar.gz"), file, str(tmp_path / "b.tar.gz"), promises)
    assert again["promises"] == summary["promises"] and again["temperature"] == summary["temperature"]
    assert again["development"]["before"]["temperature"] == summary["temperature"]
    calibrate(str(tmp_path / "a.tar.gz"), file, str(tmp_path / "c.tar.gz"))
    assert not {"n_best_mass", "min_probability"} & config_of(tmp_path / "c.tar.gz")[0]["model"]["head"].keys()


def test_temperature_and_promises_are_fitted_on_different_halves(archives, tmp_path, no_objections):
    class Recorded(Precision):
        def fit(self, scores, temperature, rows):
            self.scores, self.rows = scores, rows
            return super().fit(scores, temperature, rows)

    promise = Recorded(0.2)
    path, file = str(archives("ner")), str(FOLDER / "dev.txt")
    temperature = calibrate(path, file, str(tmp_path / "a.tar.gz"), [promise])["temperature"]
    # Promises are fitted on a half of the sentences, the temperature on the others.
    assert promise.rows.tolist() == held_out(promise.scores.documents, 0.5).tolist()
    assert abs(promise.rows.sum() - len(promise.rows) / 2) <= 0.5

    def loss(factor):
        return promise.scores.negative_log_likelihood(temperature * factor)[~promise.rows].sum()

    assert loss(1) < min(loss(0.99), loss(1.01))


def test_coverage_holds_over_folds(archives, monkeypatch):
    """
    Gold tags drawn from the model itself at another temperature, and many splits of the sentences: the number covered
    of new ones is within the interval that chance leaves.
    """
    from scipy.stats import binom

    archive = load_archive(archives("ner"))
    file = str(FOLDER / "train.txt")
    scores = TaggerScores(archive, archive.model, file, 32)
    torch.manual_seed(7)
    head = archive.model.head
    head.n_best, head.distribution.temperature = 60, 4.0
    for number, batch in enumerate(scores._batches):
        best = head.best_sequences(batch.outputs)
        drawn = torch.multinomial(best.probabilities.clamp(min=0), 1)
        gold = best.tags.gather(1, drawn.unsqueeze(2).expand(-1, 1, best.tags.size(2))).squeeze(1)
        scores._batches[number] = batch._replace(gold=gold)
    # They are the same for all splits.
    monkeypatch.setattr(scores, "masses", functools.cache(scores.masses))
    random = numpy.random.default_rng(3)
    wished, covered, total = 0.8, 0, 0
    for _ in range(20):
        is_fitted = random.permutation(len(scores.documents)) % 2 == 0
        promise = Coverage(wished, 60)
        promise.fit(scores, 3.0, is_fitted)
        measured = promise.measure(scores, 3.0, ~is_fitted)
        total += measured["sentences"]
        covered += round(measured["coverage"] * measured["sentences"])
    # Splits of the same sentences are not independent: as if there were half of one of them.
    effective = total // 40
    low, high = binom.interval(0.999, effective, wished)
    assert low / effective <= covered / total <= high / effective + 0.05


@pytest.mark.parametrize(("job", "file"), [("fofe_lm", "text/dev.txt"), ("thread_structure", "threads/dev.jsonl")])
def test_models_without_such_a_distribution(archives, job, file, tmp_path):
    with pytest.raises(ConfigurationError, match="language models and models of threads are not calibrated"):
        calibrate(str(archives(job)), str(FIXTURES / file), str(tmp_path / "a.tar.gz"))


def test_what_cannot_be_promised(archives, tmp_path):
    path, file, output = str(archives("ner")), str(FOLDER / "dev.txt"), str(tmp_path / "a.tar.gz")
    with pytest.raises(ConfigurationError, match="among the 1 best sequences of .* of .* sentences, expected more of"):
        calibrate(path, file, output, [Coverage(0.99, 1)])
    scores = ModelScores()
    scores.decisions = lambda temperature: Decisions(numpy.array([0, 1]), numpy.array([0.5, 0.9]), numpy.zeros(2, bool))
    with pytest.raises(ConfigurationError, match="found no threshold of probability with a precision of 0.7 among 2"):
        Precision(0.7).fit(scores, 1.0, numpy.ones(2, bool))
    for wrong in (0.0, 1.0, 1.5):
        with pytest.raises(ConfigurationError, match=f"found the coverage {wrong:g}, expected one above 0 and below 1"):
            Coverage(wrong, 5)


def measures(error, score):
    return {"expected_calibration_error": error, "brier_score": score}


@pytest.mark.parametrize(
    ("num_sentences", "after", "objections"),
    [
        (100, (0.05, 0.10), []),
        (99, (0.05, 0.10), ["99 sentences are fewer than 100"]),
        (100, (0.0875, 0.10), ["the ECE of sentences held out goes from 0.0870 to 0.0875"]),
        (100, (0.05, 0.115), ["the Brier score of sentences held out goes from 0.1150 to 0.1150"]),
        (60, (0.127, 0.129), ["60 sentences are fewer", "the ECE of .* to 0.1270", "the Brier score of .* to 0.1290"]),
        (100, (None, 0.10), ["the sentences held out have no predictions and no ECE"]),
    ],
)
def test_objections_to_a_temperature(num_sentences, after, objections):
    found = MODULE._objections(num_sentences, measures(0.087, 0.115), measures(*after))
    assert len(found) == len(objections)
    for objection, expected in zip(found, objections, strict=True):
        assert re.match(expected, objection)


def test_a_temperature_that_is_not_better_is_not_taken(archives, tmp_path, monkeypatch):
    said = []
    monkeypatch.setattr(MODULE.logger, "warning", lambda message, *args: said.append(message % args))
    path, file = str(archives("ner")), str(FOLDER / "dev.txt")
    summary = calibrate(path, file, str(tmp_path / "a.tar.gz"), [Precision(0.2)], file)
    config, written = config_of(tmp_path / "a.tar.gz")
    assert summary["temperature"] == config["model"]["head"]["temperature"] == 1 and written == summary
    for part in ("development", "test"):
        assert summary[part]["after"] == summary[part]["before"]
    refused = summary["development"]["refused"]
    assert refused["temperature"] != 1
    (message,) = said
    found = f"{file}: found the temperature {refused['temperature']:g}, but 33 sentences are fewer than 100"
    assert message.startswith(found) and message.endswith(": the archive keeps the temperature 1")
    # Promises are fitted at the temperature that is kept.
    assert summary["promises"]["precision"]["min_probability"] == config["model"]["head"]["min_probability"]


def test_what_is_held_out():
    by_document = held_out([str(number // 3) for number in range(30)], 0.2)
    assert by_document.sum() == 6 and (by_document.reshape(10, 3).all(1) == by_document.reshape(10, 3).any(1)).all()
    for documents in ([None] * 30, ["a", "b"] * 15, [None, *map(str, range(29))]):
        held = held_out(documents, 0.2)
        assert held.sum() == 6 and (held == held_out(documents, 0.2)).all()
    assert held_out(["a"] * 3, 0.1).sum() == 1


def test_a_single_sentence(archives, tmp_path):
    (tmp_path / "dev.txt").write_text("Mara B-PER\n")
    with pytest.raises(ConfigurationError, match="dev.txt: found a single sentence, expected many"):
        calibrate(str(archives("ner")), str(tmp_path / "dev.txt"), str(tmp_path / "a.tar.gz"))


def test_data_that_the_model_knows(archives, tmp_path, monkeypatch):
    monkeypatch.setattr(MODULE, "LOWEST", 2.0)
    monkeypatch.setattr(MODULE, "HIGHEST", 2.1)
    with pytest.raises(ConfigurationError, match="at the temperature 2.*, expected it between 2 and 2.1: on data that"):
        calibrate(str(archives("ner")), str(FOLDER / "dev.txt"), str(tmp_path / "a.tar.gz"))


def test_the_conformal_threshold_is_a_rank():
    scores = numpy.array([0.5, 0.1, math.inf, 0.3, 0.2, 0.4, 0.7, 0.6, 0.8])
    # Of nine, the ninth for 0.9 and the fifth for 0.5.
    assert conformal_threshold(scores, 0.9) == math.inf
    assert conformal_threshold(scores, 0.5) == 0.5
    assert conformal_threshold(scores, 0.8) == 0.8
    assert conformal_threshold(scores, 0.01) == 0.1
    assert conformal_threshold(scores, 0.95) == math.inf
    assert conformal_threshold(numpy.array([]), 0.5) == math.inf
    # The last of all.
    assert conformal_threshold(numpy.array([0.5, 0.1]), 0.6) == 0.5


@pytest.mark.parametrize("coverage", [0.7, 0.9])
def test_the_coverage_of_new_scores_is_that_of_a_beta_distribution(coverage):
    """Vovk (2012): given n scores it is that of the rank, Beta(rank, n + 1 - rank)."""
    from scipy.stats import beta

    random = numpy.random.default_rng(5)
    num_scores, found = 99, []
    for _ in range(400):
        threshold = conformal_threshold(random.exponential(size=num_scores), coverage)
        found.append(1 - math.exp(-threshold))
    expected = beta(100 * coverage, 100 * (1 - coverage))
    assert numpy.mean(found) == pytest.approx(coverage, abs=4 * expected.std() / 20)
    assert numpy.std(found) == pytest.approx(expected.std(), rel=0.2)


def test_the_lowest_threshold_that_is_precise_enough():
    probabilities = numpy.array([0.9, 0.5, 0.8, 0.7, 0.6, 0.3])
    correct = numpy.array([True, False, False, True, True, True])
    # In order: 1, 1/2, 2/3, 3/4, 3/5, 4/6.
    assert precision_threshold(probabilities, correct, 0.75) == pytest.approx(0.55)
    assert precision_threshold(probabilities, correct, 0.8) == pytest.approx(0.85)
    assert precision_threshold(probabilities, correct, 0.66) == 0.0
    assert precision_threshold(probabilities, ~correct, 0.75) is None
    assert precision_threshold(numpy.array([]), numpy.array([], bool), 0.5) is None


def test_equal_probabilities_are_kept_together():
    probabilities, correct = numpy.array([0.9, 0.5, 0.5, 0.4]), numpy.array([True, True, False, False])
    assert precision_threshold(probabilities, correct, 0.9) == pytest.approx(0.7)
    assert precision_threshold(probabilities, correct, 0.6) == pytest.approx(0.45)
    assert precision_threshold(probabilities[:3], correct[:3], 0.9) == pytest.approx(0.7)
    # A probability of nothing is not above a threshold of nothing.
    assert precision_threshold(numpy.array([0.0, 0.0]), numpy.array([True, False]), 0.5) == 0.0
