import platform

import pytest

from nerzoo.deploy.model_card import predicted_labels, versions
from nerzoo.inference.tagger import Tagger
from nerzoo.version import __version__


@pytest.mark.parametrize("job, expected", [("ner", ["organization", "person", "place"]), ("fofe_lm", [])])
def test_predicted_labels(archives, job, expected):
    assert predicted_labels(Tagger.load(archives(job), device="cpu").predictor.model) == expected


def test_versions():
    found = versions()
    assert found["nerzoo"] == __version__ and found["Python"] == platform.python_version()
