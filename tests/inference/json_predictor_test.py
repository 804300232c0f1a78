"""Lines of input, as `allennlp predict` hands them to a predictor."""

import json

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Token, Vocabulary
from allennlp.data.fields import TextField
from allennlp.data.instance import Instance
from allennlp.data.token_indexers import SingleIdTokenIndexer
from allennlp.models import Model
from allennlp.predictors import Predictor

from nerzoo.inference.json_predictor import JsonPredictor


@pytest.mark.parametrize("job", ["ner", "fofe_lm"])
def test_a_text_of_a_million_characters(archives, job):
    predictor = Predictor.from_path(archives(job), import_plugins=False)
    # A language model counts the end of the sentence, too.
    with pytest.raises(ConfigurationError, match=r"found an item of 20000\d tokens, .*predictor.MAX_TOKENS, 20000"):
        predictor.predict_batch_json([{"sentence": "Mara lived in Calder."}, {"sentence": "word " * 200_000}])


class Counts(Model):
    """Counts words, and fails at one of them."""

    def __init__(self):
        super().__init__(Vocabulary(counter={"tokens": {"fails": 1}}))
        self.weight = torch.nn.Parameter(torch.zeros(1))

    def forward(self, tokens):
        indices = tokens["tokens"]["tokens"]
        if (indices == self.vocab.get_token_index("fails")).any():
            raise RuntimeError("no such word")
        return {"length": (indices > 0).sum(1)}


class Reader(DatasetReader):
    def apply_token_indexers(self, instance):
        instance["tokens"].token_indexers = {"tokens": SingleIdTokenIndexer()}


class Words(JsonPredictor):
    def _json_to_instance(self, json_dict):
        if not isinstance(json_dict.get("words"), list):
            raise ConfigurationError(f"found the input {json_dict!r}, expected words")
        return (
            Instance({"tokens": TextField([Token(word) for word in json_dict["words"]])})
            if json_dict["words"]
            else None
        )


def predict(predictor, lines):
    """What `allennlp predict` writes of a batch of lines, and the error that it ends in."""
    written = []
    batch = [predictor.load_line(json.dumps(line) if not isinstance(line, str) else line) for line in lines]
    try:
        for prediction in predictor.predict_batch_json(batch):
            written.append(prediction.get("length"))
    except ConfigurationError as error:
        return written, str(error)
    return written, None


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("no JSON\n", "found the input 'no JSON' (Expecting value"),
        ("[1, 2]", "found the input '[1, 2]', expected a JSON object"),
        ({"sentence": 3}, "found the input {'sentence': 3}, expected words"),
        ({"words": ["a", "fails"]}, "no such word"),
    ],
)
def test_a_bad_line_is_named_and_those_before_it_are_predicted(bad, message):
    predictor = Words(Counts(), Reader())
    good = [{"words": ["a", "b"]}, {"words": []}]
    assert predict(predictor, good) == ([2, None], None)
    written, error = predict(predictor, [{"words": ["a"]}, bad, *good])
    assert written == [1] and error.startswith(f"line 4, blank ones not counted: {message}")
    with pytest.raises(ConfigurationError, match="line 7, "):
        predictor.predict_json(predictor.load_line(bad if isinstance(bad, str) else json.dumps(bad)))


def test_other_objects_are_predicted_together_or_not_at_all():
    predictor = Words(Counts(), Reader())
    with pytest.raises(ConfigurationError, match="^found the input .*, expected words"):
        predictor.predict_batch_json([{"words": ["a"]}, {}])
