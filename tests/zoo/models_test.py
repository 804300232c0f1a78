"""The models of the repository: each loads, and has the scores of its card on the first sentences of its tests."""

import pytest
from helpers.paths import REAL_DATA

from nerzoo.deploy.zoo_training import SAMPLE, zoo_model_scores
from nerzoo.zoo.finding import all_models
from nerzoo.zoo.tagger import Tagger

MODELS = {model.name: model for model in all_models()}
_MOST_BYTES = {"en": 12_000_000}


@pytest.mark.parametrize("name", MODELS)
def test_has_what_a_card_says(name):
    model = MODELS[name]
    assert model.size <= _MOST_BYTES.get(name, 8_000_000)
    assert {"description", "score", "licence", "corpora", "tests", "limits"} <= model.card.keys()
    page = (model.folder / "README.md").read_text()
    for corpus in model.card["corpora"].values():
        assert {*corpus} == {"title", "licence", "authors", "source"} and corpus["title"] in page
    assert model.card["score"]


@pytest.mark.skipif(not REAL_DATA.is_dir(), reason="no corpora beside the checkout")
@pytest.mark.parametrize("name", MODELS)
def test_has_the_scores_of_its_card(name, monkeypatch):
    # Set by the function, too: so that they are as before afterwards.
    for variable in ("DATA", "SEED", "WORD_VECTORS"):
        monkeypatch.setenv(variable, "")
    found = zoo_model_scores(name, MODELS[name].folder, REAL_DATA, most=SAMPLE)
    for test, expected in MODELS[name].card["tests"].items():
        for measure in {"precision", "recall", "accuracy", "perplexity"} & expected.get("sample", {}).keys():
            assert found[test]["sample"][measure] == pytest.approx(expected["sample"][measure], rel=0.001, abs=0.01)


@pytest.mark.parametrize("name", [name for name in MODELS if "perplexity" not in MODELS[name].card["score"]])
def test_reads_the_shortest_texts(name):
    tagger = Tagger.load(MODELS[name].folder)
    for text in ("", "a", "I am", "\u597d"):
        assert tagger({"text": text})["text"] == text


def test_all_are_small_together():
    assert sum(model.size for model in MODELS.values()) <= 60_000_000
