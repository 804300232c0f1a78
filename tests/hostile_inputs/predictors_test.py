"""Items in Python, and lines of the input of `predict`, for predictors of several kinds."""

import json

import pytest
from helpers.hostile import cases, check, expanded

from nerzoo.inference.tagger import Tagger


@pytest.fixture(scope="module")
def taggers(archives):
    loaded = {}

    def tagger(job):
        if job not in loaded:
            loaded[job] = Tagger.load(archives(job), "cpu")
        return loaded[job]

    return tagger


@pytest.mark.parametrize("case", cases("predictors"))
def test_predictors(case, taggers, record_property):
    tagger = taggers(case["job"])
    predictor = tagger.predictor

    def predict():
        if "line" in case:
            return [
                predictor.dump_line(one) for one in predictor.predict_batch_json([predictor.load_line(case["line"])])
            ]
        found = tagger(expanded(case["item"]))
        return found if isinstance(found, dict) else list(found)

    prediction = check(case, predict, record_property)
    # What comes out is JSON that others read, too.
    json.dumps(prediction, allow_nan=False)
