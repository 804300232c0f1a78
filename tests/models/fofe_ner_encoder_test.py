"""FOFE-NER with features of encoded words."""

import json

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.testing import ModelTestCase
from allennlp.models import Model
from helpers.paths import ROOT
from helpers.tensors_of import tensors_of
from torch.testing import assert_close

from nerzoo.models.fofe_ner import FofeNer

CONFIG = "training_config/fofe_ner/small/encoded.jsonnet"
SENTENCES = "fixtures/people_and_places/dev.conllu"


class TestFofeNerEncoder(ModelTestCase):
    @pytest.fixture(autouse=True)
    def set_up(self, monkeypatch):
        monkeypatch.chdir(ROOT)
        monkeypatch.setenv("WORD_VECTORS", "")
        self.set_up_model(CONFIG, SENTENCES, seed=13)
        assert isinstance(self.model, FofeNer)

    def build(self, **parameters):
        params = Params.from_file(CONFIG)["model"].as_dict() | parameters
        return Model.from_params(Params(json.loads(json.dumps(params))), vocab=self.vocab)

    def test_can_train_save_and_load(self):
        overrides = {"train_data_path": SENTENCES, "trainer.num_epochs": 1, "trainer.cuda_device": -1}
        overrides["data_loader.batch_sampler"] = {"type": "bucket", "batch_size": 16, "padding_noise": 0.0}
        overrides["data_loader.batch_sampler"]["shuffle"] = False
        self.ensure_model_can_train_save_and_load(CONFIG, overrides=json.dumps(overrides), tolerance=1e-5)

    def test_a_span_sees_its_whole_sentence_and_no_other(self):
        model = self.model.eval()
        tensors = tensors_of(self.instances[:4], self.vocab)
        before = model(**tensors)["probabilities"]
        tensors["tokens"]["tokens"]["tokens"][0, 0] = 1
        after = model(**tensors)["probabilities"]
        length = len(self.instances[0]["tokens"].tokens)
        assert (before[0, :length] != after[0, :length]).any(2).any(1).all()
        assert torch.equal(before[1:], after[1:])

    def test_predicts_the_same_alone_and_in_a_batch(self):
        model = self.model.eval()
        together = model(**tensors_of(self.instances, self.vocab))["probabilities"]
        for instance, expected in zip(self.instances, together, strict=True):
            (found,) = model(**tensors_of([instance], self.vocab))["probabilities"]
            assert_close(found, expected[: len(found)])

    @pytest.mark.parametrize(
        "parameters, message",
        [
            ({"encoder": None}, "found one of token_embedders and encoder, expected both or neither"),
            ({"token_embedders": {}}, "found one of token_embedders and encoder, expected both or neither"),
            (
                {"encoder": {"type": "memory_hop", "input_size": 88, "hidden_size": 4, "current_input": "sentence"}},
                "found an encoder that reads .*, expected one that reads words alone",
            ),
            ({"encoder": {"type": "bilstm", "input_size": 3, "hidden_size": 4}}, "input of encoder"),
        ],
    )
    def test_an_encoder_without_embedders_of_its_size_is_an_error(self, parameters, message):
        with pytest.raises(ConfigurationError, match=message):
            self.build(**parameters)

    def test_an_indexer_that_the_reader_does_not_have_is_an_error(self):
        tensors = tensors_of(self.instances[:2], self.vocab)
        del tensors["tokens"]["characters"]
        with pytest.raises(ConfigurationError, match="characters"):
            self.model(**tensors)
