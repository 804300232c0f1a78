import json

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.paths import FIXTURES, ROOT

from experiments.learning_curve import divided, learning_curve, table
from nerzoo.formats.columns import ColumnsCorpus
from nerzoo.text.annotation import Document

SMALL = json.dumps({"trainer.num_epochs": 1, "model.encoder.hidden_size": 4, "trainer.cuda_device": -1})


@pytest.fixture(scope="module")
def documents():
    """Sentences of the fixture, five to a document."""
    path = str(FIXTURES / "people_and_places/train.txt")
    sentences = [s for document in ColumnsCorpus().read(path) for s in document.sentences][:50]
    return [Document(None, sentences[start : start + 5]) for start in range(0, 50, 5)]


def test_each_document_is_test_data_of_one_seed(documents):
    parts = [divided(documents, seed) for seed in range(1, 6)]
    tests = [id(sentence) for _, test in parts for sentence in test]
    assert len(tests) == len(set(tests)) == 50
    for pool, test in parts:
        assert len(pool) == 40 and not {*map(id, pool)} & {*map(id, test)}


def test_a_curve_goes_on_where_it_was(documents, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("WORD_VECTORS", "")
    strategies = ["random", "sequence_entropy"]
    before = learning_curve(documents, tmp_path, strategies, seeds=1, batch=6, steps=1, overrides=SMALL)
    # The first batch is the same for all.
    assert before["random"]["1"] == before["sequence_entropy"]["1"]
    curves = learning_curve(documents, tmp_path, strategies, seeds=1, batch=6, steps=2, overrides=SMALL)
    assert json.loads((tmp_path / "curve.json").read_text()) == curves
    for strategy in strategies:
        results = curves[strategy]["1"]
        assert results[:1] == before[strategy]["1"] and [result["sentences"] for result in results] == [6, 12]
        steps = [json.loads((tmp_path / f"{strategy}-1/{step}/result.json").read_text()) for step in (0, 1)]
        assert steps[1]["selected"] == steps[0]["selected"] + steps[0]["next"]
        assert len(set(steps[1]["selected"])) == 12
        assert not list(tmp_path.glob(f"{strategy}-1/*/train/*.t*[hz]"))
    # Nothing is trained again.
    monkeypatch.delattr("experiments.learning_curve.train")
    assert learning_curve(documents, tmp_path, strategies, 1, 6, 2, SMALL) == curves
    with pytest.raises(ConfigurationError, match=r"random-1/0/result.json: found a step of another curve"):
        learning_curve(documents, tmp_path, strategies, 1, 5, 2, SMALL)


def test_too_few_sentences(documents, tmp_path):
    with pytest.raises(ConfigurationError, match="found 40 sentences, expected 44 for 3 steps"):
        learning_curve(documents, tmp_path, ["random"], seeds=1, batch=11, steps=3)


def test_table():
    curves = {
        "random": {
            "1": [{"sentences": 5, "words": 30, "f1": 0.1}, {"sentences": 10, "words": 1000, "f1": 0.5}],
            "2": [{"sentences": 5, "words": 40, "f1": 0.2}, {"sentences": 10, "words": 1101, "f1": 0.5}],
        },
        "other": {"1": [{"sentences": 5, "words": 30, "f1": 0.15}, {"sentences": 10, "words": 70, "f1": 0.625}]},
    }
    assert table(curves).splitlines() == [
        "| sentences | random: words | random: F1 | other: words | other: F1 |",
        "| --- | --- | --- | --- | --- |",
        "| 5 | 35 | 15.0 ± 7.1 | 30 | 15.0 |",
        "| 10 | 1,050 | 50.0 ± 0.0 | 70 | 62.5 |",
    ]
