"""Each system, trained for an epoch on the fixture, finds entities of each sentence of the test part."""

import sys
from functools import cache

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.benches import PEOPLE_AND_PLACES, write_run
from helpers.paths import CONFIGS
from helpers.tiny_pretrained import write_transformer

from nerzoo.formats.conllu import ConlluCorpus
from nerzoo.formats.jsonl import read_predictions
from nerzoo.runs.bench import execute
from nerzoo.runs.bench_data import as_parts, read_documents, write_data
from nerzoo.runs.systems import all_systems

NAMES = list(all_systems(CONFIGS / "bench"))


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """The folder of a split whose training part is small."""
    folder = tmp_path_factory.mktemp("data") / "data"
    dev, test = (
        read_documents(str(PEOPLE_AND_PLACES / f"{part}.conllu"), ConlluCorpus(proper_names=True))
        for part in ("dev", "test")
    )
    write_data(folder, as_parts(dev, test, test))
    return folder / "0"


@pytest.fixture(scope="module")
def trained(data, tmp_path_factory):
    """Trains a system at the first request; returns the folder of its run and its record."""
    folder = tmp_path_factory.mktemp("trained")
    write_transformer(folder, hidden_size=16)

    @cache
    def train(name):
        transformer = {"transformer": str(folder)} if name == "transformer" else {}
        run = write_run(folder, name, data, epochs=2, seed=7, max_length=2, **transformer)
        return run, execute(run)

    return train


@pytest.mark.parametrize("name", NAMES)
def test_a_system_is_trained_and_predicts(name, data, trained):
    run, record = trained(name)
    assert record["epochs"] == 2 and record["parameters"] > 1000
    assert record["best_epoch"] in ((None,) if name == "feature_crf" else (1, 2))
    assert 0 < record["epoch_seconds"] < record["processor_seconds"] <= record["process_seconds"]
    assert record["words_per_second"] > 0 and record["starts"] == 1
    predicted = list(read_predictions(str(run / "predictions.jsonl"), "entities"))
    assert [sentence.words for sentence in predicted] == [
        *(sentence.words for sentence in read_predictions(str(data / "test.jsonl"), "entities"))
    ]
    assert {sentence.document_id for sentence in predicted} != {None}
    assert not list((run / "model").glob("*.th"))


@pytest.mark.parametrize("name", ["ner", "spacy", "crf_tagger", "seq2biseq", "fofe_ner"])
def test_a_system_takes_word_vectors(name, data, trained, tmp_path):
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("".join(f"{word} {' '.join(['0.5'] * 40)}\n" for word in ("the", "in", "mara")))
    record = execute(write_run(tmp_path, name, data, word_vectors=str(vectors), vector_size=40))
    _, learned = trained(name)
    assert record["parameters"] != learned["parameters"]


@pytest.mark.parametrize(
    "name, path, seed, count", [("ner", "config.json", '_seed": 7', 3), ("spacy", "config.cfg", "seed = 7", 2)]
)
def test_the_seed_is_that_of_all_generators(name, path, seed, count, trained):
    run, _ = trained(name)
    assert (run / "model" / path).read_text().count(seed) == count


def test_spans_are_as_long_as_the_data_says(trained):
    run, _ = trained("fofe_ner_nested")
    config = (run / "model/config.json").read_text()
    assert config.count('"max_length": 2') == 2


def test_the_crf_needs_an_extra(data, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn_crfsuite", None)
    with pytest.raises(ConfigurationError, match=r"found no sklearn_crfsuite.*pip install nerzoo\[bench\]"):
        execute(write_run(tmp_path, "feature_crf", data))


def test_full_epochs_are_those_of_the_configurations():
    systems = all_systems(CONFIGS / "bench")
    epochs = {name: systems[name].full_epochs for name in ("ner", "fofe_ner", "feature_crf")}
    assert epochs == {"ner": 50, "fofe_ner": 30, "feature_crf": 100}
