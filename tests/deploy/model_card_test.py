import platform
from collections import Counter

import pytest

from nerzoo.deploy.model_card import ModelFacts, model_card, versions
from nerzoo.formats.corpus import DataFacts
from nerzoo.inference.tagger import Tagger, predicted_labels
from nerzoo.version import __version__

CONFIG = {
    "model": {"type": "sequence_tagger"},
    "dataset_reader": {"type": "tagged_sentences", "corpus": {"type": "conllu"}, "layer": "innermost"},
    "numpy_seed": 5,
}
DATA = DataFacts("train.conllu", "0f", 2, 3, 40, Counter({"PER": 7, "LOC": 9}))
VERSIONS = {"nerzoo": "1", "PyTorch": "2"}


def sections(facts, **options):
    card = model_card(facts, **options)
    title, *rest = card.text.strip().split("\n\n## ")
    return card.data, title, dict(section.split("\n\n", 1) for section in rest)


def test_what_is_known_is_said():
    scores = {"precision": 0.5, "recall": 0.25, "f1": 1 / 3, "loss": 7.0}
    by_type = {"LOC": [1, 2, 3], "PER": [0, 0, 5], "ORG": [0, 0, 0]}
    validation = {f"best_validation_{name}": value for name, value in scores.items()}
    facts = ModelFacts(
        "tagger",
        CONFIG,
        ["LOC", "PER"],
        {"training": DATA, "validation": None},
        VERSIONS,
        {
            "epoch": 3,
            "best_epoch": 1,
            "training_duration": "0:10:00",
            **validation,
        },
        {**scores, "by_type": by_type},
        DataFacts("test.conllu", "1e"),
        ["lists/names.txt"],
    )
    data, title, parts = sections(facts, license="mit", language=["en"])
    assert (data.license, data.language, data.pipeline_tag) == ("mit", ["en"], "token-classification")
    assert title.startswith("# tagger\n") and "It predicts `LOC`, `PER`." in title
    assert list(parts) == ["Training data", "Training", "Scores", "Limits", "Licence"]
    assert "| training | `train.conllu` | `0f` | 2 | 3 | 40 | 16 |\n" in parts["Training data"]
    assert "| validation | not to be found when this card was written |" in parts["Training data"]
    assert "Entities of the training data: LOC 9, PER 7." in parts["Training data"]
    assert 'Read as `{"type": "conllu"}`.' in parts["Training data"]
    assert "seeds: `random_seed` 13370, `numpy_seed` 5, `pytorch_seed` 133." in parts["Training"]
    assert "It ran for 4 epochs, and for 0:10:00 since its last start." in parts["Training"]
    assert "nerzoo 1, PyTorch 2." in parts["Training"]
    table = [
        "| all | 50.0 | 12.5 | 20.0 | 8 |",
        "| PER | 0.0 | 0.0 | 0.0 | 5 |",
        "| LOC | 50.0 | 33.3 | 40.0 | 3 |",
    ]
    assert "On `test.conllu` (SHA-256 `1e`):" in parts["Scores"] and "\n".join(table) in parts["Scores"]
    assert "    nerzoo evaluate FOLDER test.conllu\n" in parts["Scores"] and "ORG" not in parts["Scores"]
    assert "after epoch 2, the best one there:" in parts["Scores"]
    assert "| all | 50.0 | 25.0 | 33.3 |  |" in parts["Scores"]
    assert "It knows `LOC`, `PER`, and nothing else." in parts["Limits"]
    assert "it finds the innermost ones alone" in parts["Limits"]
    assert "Raw text is split into sentences and words by nerzoo's rules" in parts["Limits"]
    assert "it needs files that are not in this folder: `lists/names.txt`." in parts["Limits"]
    assert parts["Licence"] == "mit"


def test_calibration():
    def measures(error):
        return {"expected_calibration_error": error, "brier_score": 0.125, "negative_log_likelihood": 2.5}

    calibration = {
        "temperature": 1.75,
        "promises": {"coverage": {"wished": 0.9}, "precision": {"wished": 0.8}},
        "development": {"file": "dev.txt", "before": measures(0.0625), "after": measures(None)},
    }
    facts = ModelFacts("tagger", CONFIG, ["LOC"], {}, VERSIONS, calibration=calibration)
    _, _, parts = sections(facts)
    assert list(parts) == ["Training data", "Training", "Scores", "Calibration", "Limits", "Licence"]
    found = parts["Calibration"]
    assert found.startswith("By `nerzoo calibrate`, with the temperature 1.75:\n")
    assert "| `dev.txt` | before | 0.0625 | 0.1250 | 2.5000 |\n| `dev.txt` | after |  | 0.1250 | 2.5000 |" in found
    assert "contain the right one with a probability of 0.9, where text" in found
    assert "Entities are left out below a probability at which the others have a precision of 0.8," in found
    assert "Its probabilities were calibrated on the data above" in parts["Limits"]
    assert "not been calibrated" not in parts["Limits"]


def test_what_is_not_known_is_not_said():
    config = {"model": {"type": "fofe_lm"}, "dataset_reader": {"type": "text_lines"}}
    data, title, parts = sections(ModelFacts("lm", config, [], {"training": DataFacts("a.txt", "0f")}, VERSIONS))
    assert data.pipeline_tag is None and data.tags == ["nerzoo"] and data.license is None
    assert "predicts" not in title
    assert (
        "| training | `a.txt` | `0f` |  |  |  |  |" in parts["Training data"]
        and "Read as" not in parts["Training data"]
    )
    assert "epochs" not in parts["Training"]
    assert parts["Scores"] == "None was measured when this card was written."
    assert "nested" not in parts["Limits"] and "It knows" not in parts["Limits"]
    assert parts["Licence"].startswith("No licence was named.")


def test_scores_of_other_kinds():
    facts = ModelFacts("lm", CONFIG, [], {}, VERSIONS, {}, {"perplexity": 12.5, "epoch": 3}, DataFacts("a", "0f"))
    _, _, parts = sections(facts)
    assert "| perplexity | 12.5000 |" in parts["Scores"] and "epoch" not in parts["Scores"]
    assert "    nerzoo evaluate FOLDER a" in parts["Scores"].splitlines()


@pytest.mark.parametrize("job, expected", [("ner", ["organization", "person", "place"]), ("fofe_lm", [])])
def test_predicted_labels(archives, job, expected):
    assert predicted_labels(Tagger.load(archives(job), device="cpu").predictor.model) == expected


def test_versions():
    found = versions()
    assert found["nerzoo"] == __version__ and found["Python"] == platform.python_version()
