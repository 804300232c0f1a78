import json
import math

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.testing import ModelTestCase
from allennlp.data import DatasetReader, Vocabulary
from allennlp.models import Model
from allennlp.nn.util import move_to_device
from allennlp.training.optimizers import Optimizer
from helpers.paths import ROOT
from helpers.tensors_of import tensors_of
from torch.testing import assert_close

from nerzoo.models.fofe_lm import FofeLm

CONFIG = "training_config/fofe_lm.jsonnet"
TEXT = "fixtures/text/dev.txt"
HEADS = {
    "softmax": {"type": "softmax"},
    "adaptive_softmax": {"type": "adaptive_softmax", "cutoffs": [10, 30]},
    "nce": {"type": "nce", "num_noise": 10, "ln_z": 4.0, "sparse": True},
}
ONE_EPOCH = {
    "train_data_path": TEXT,
    "trainer.num_epochs": 1,
    "trainer.cuda_device": -1,
    # AllenNLP's test reads the first batch twice and wants the same.
    "data_loader": {"batch_size": 16, "shuffle": False},
}
LSTM = {"type": "lstm", "input_size": 32, "hidden_size": 20}


class TestFofeLm(ModelTestCase):
    @pytest.fixture(autouse=True)
    def set_up(self, monkeypatch):
        monkeypatch.chdir(ROOT)
        self.set_up_model(CONFIG, TEXT, seed=13)
        self.reader = DatasetReader.from_params(Params.from_file(CONFIG)["dataset_reader"])

    def build(self, sparse=False, **parameters):
        """The configured model with other parameters, in double precision."""
        params = Params.from_file(CONFIG)["model"].as_dict()
        params["text_field_embedder"]["token_embedders"]["tokens"]["sparse"] = sparse
        params.update(parameters)
        torch.manual_seed(13)
        model = Model.from_params(Params(json.loads(json.dumps(params))), vocab=self.vocab)
        assert isinstance(model, FofeLm)
        torch.nn.init.normal_(model.start)
        return model.double()

    def tensors(self, instances):
        return tensors_of(instances, self.vocab)

    def instance(self, *words):
        instance = self.reader.text_to_instance(words)
        self.reader.apply_token_indexers(instance)
        return instance

    @pytest.mark.parametrize("head", HEADS)
    def test_can_train_save_and_load(self, head):
        overrides = {**ONE_EPOCH, "model.head": {**HEADS[head]}, "trainer.optimizer": {"type": "sgd", "lr": 0.1}}
        self.ensure_model_can_train_save_and_load(CONFIG, overrides=json.dumps(overrides), tolerance=1e-5)

    @pytest.mark.parametrize("head", HEADS)
    @pytest.mark.parametrize("order, alpha", [(1, 0.7), (2, 0.0)])
    def test_log_probabilities_are_those_of_the_words_before(self, order, alpha, head):
        """Word by word, the codes from the recursion (equation 3.1)."""
        encoder = {"type": "fofe_streams", "input_size": 32, "alpha": alpha, "order": order}
        model = self.build(encoder=encoder, head=HEADS[head]).eval()
        instances = [self.instance("Nobody", "knew", "the", "name"), self.instance("Zzz")]
        found = model.forward_on_instances(instances)
        embedding = model.text_field_embedder.token_embedder_tokens.weight
        for instance, output in zip(instances, found, strict=True):
            words = instance["metadata"]["words"]
            assert output["words"] == words
            indices = [self.vocab.get_token_index(word) for word in words]
            history = [model.start] * order + [embedding[index] for index in indices]
            expected, codes = [], [torch.zeros_like(model.start)] * order
            for position, index in enumerate(indices):
                newest = position + order - 1
                codes = [alpha * code + history[newest - lag] for lag, code in enumerate(codes)]
                hidden = model.feedforward(torch.cat(codes).unsqueeze(0))
                expected.append(model.head.log_probabilities(hidden)[0, index - 1].item())
            assert output["log_probabilities"] == pytest.approx(expected)
            assert output["perplexity"] == pytest.approx(math.exp(-sum(expected) / len(expected)))

    @pytest.mark.parametrize("encoder", [None, LSTM])
    def test_predicts_the_same_alone_and_in_a_batch(self, encoder):
        model = self.build(**({"encoder": encoder} if encoder else {})).eval()
        together = model(**self.tensors(self.instances))
        for instance, expected in zip(self.instances, together["log_probabilities"], strict=True):
            (found,) = model(**self.tensors([instance]))["log_probabilities"]
            assert_close(found, expected[: len(found)])
            assert not expected[len(found) :].any()

    def test_loss_and_perplexity_are_of_all_words(self):
        model, batch = self.build().eval(), self.tensors(self.instances)
        loss = model(**batch)["loss"]
        model.get_metrics(reset=True)
        for instances in (self.instances[:3], self.instances[3:]):
            model(**self.tensors(instances))
        assert model.get_metrics(reset=True) == {"perplexity": pytest.approx(loss.exp().item())}
        assert_close(model.train()(**batch)["loss"], loss)
        assert model.get_metrics() == {}

    @pytest.mark.parametrize("head", HEADS)
    def test_distributions_over_the_next_word(self, head):
        model = self.build(head=HEADS[head]).eval()
        prefixes = [["Nobody", "knew", "the"], [], ["She"]]
        batch = self.tensors([self.instance(*words) for words in prefixes])
        found = model.next_word_log_probabilities(batch["tokens"])
        assert found.shape == (3, self.vocab.get_vocab_size())
        assert_close(found.exp().sum(1), torch.ones(3).double())
        assert not found[:, 0].exp().any()
        for row, prefix in zip(found, prefixes, strict=True):
            # Of the word in the place of the end.
            output = model.forward_on_instance(self.instance(*prefix, "letter"))
            index = self.vocab.get_token_index("letter")
            assert row[index].item() == pytest.approx(output["log_probabilities"][len(prefix)])

    def test_overfits(self):
        instances = self.instances[:12]
        model, batch = self.build(), self.tensors(instances)
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
        for _ in range(60):
            optimizer.zero_grad()
            model(**batch)["loss"].backward()
            optimizer.step()
        model.eval()(**batch)
        # Only the first words cannot be known.
        assert model.get_metrics(reset=True)["perplexity"] < 1.6

    @pytest.mark.parametrize("head", HEADS)
    def test_sparse_gradients_move_parameters_as_dense_ones_do(self, head):
        """With SGD, without momentum and weight decay for what has them: the parameter groups of the configurations."""
        sparse_groups = [[["embedder", "^head"], {"momentum": 0.0, "weight_decay": 0.0}]]
        optimizer = {"type": "sgd", "lr": 0.1, "momentum": 0.9, "weight_decay": 1e-3, "parameter_groups": sparse_groups}
        trained = []
        for sparse in (False, True):
            options = {**HEADS[head], **({"sparse": sparse} if head == "nce" else {})}
            model = self.build(sparse=sparse, head=options)
            parameters = list(model.named_parameters())
            steps = Optimizer.from_params(Params(json.loads(json.dumps(optimizer))), model_parameters=parameters)
            torch.manual_seed(5)
            for instances in (self.instances[:4], self.instances[4:8]):
                steps.zero_grad()
                model(**self.tensors(instances))["loss"].backward()
                steps.step()
            assert model.text_field_embedder.token_embedder_tokens.weight.grad.is_sparse == sparse
            trained.append(dict(parameters))
        for name, parameter in trained[0].items():
            assert_close(trained[1][name], parameter)

    def test_bidirectional_encoder(self):
        with pytest.raises(ConfigurationError, match="found a bidirectional encoder, expected one that reads the hist"):
            self.build(encoder={**LSTM, "bidirectional": True})

    def test_sizes_that_do_not_fit(self):
        with pytest.raises(ConfigurationError, match="size of the embedded words"):
            self.build(encoder={"type": "fofe_streams", "input_size": 31, "alpha": 0.7})

    def test_a_vocabulary_without_words(self):
        self.vocab = Vocabulary.from_instances(self.instances, min_count={"tokens": 10**6}, oov_token="<unk>")
        with pytest.raises(ConfigurationError, match="fofe_lm: found no word but the unknown one in the .*'tokens'"):
            self.build()
        with pytest.raises(ConfigurationError, match="found no word .* namespace 'words' of the vocabulary, expected"):
            self.build(vocab_namespace="words")

    def test_words_under_another_name(self):
        tokens = self.tensors(self.instances[:1])["tokens"]
        with pytest.raises(ConfigurationError, match=r"indexers \['words'\], expected a single_id indexer"):
            self.build()(tokens={"words": tokens["tokens"]})

    def test_nce_needs_counts_of_words_to_train(self, tmp_path):
        self.vocab.save_to_files(tmp_path)
        self.vocab = Vocabulary.from_files(tmp_path, oov_token="<unk>")
        model, batch = self.build(head=HEADS["nce"]), self.tensors(self.instances[:1])
        assert model.eval()(**batch)["loss"].isfinite()
        with pytest.raises(ConfigurationError, match="nce: found no counts of words"):
            model.train()(**batch)

    @pytest.mark.gpu
    @pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
    @pytest.mark.parametrize("head", HEADS)
    def test_gpu_agrees_with_cpu(self, head):
        model, batch = self.build(head=HEADS[head]).eval(), self.tensors(self.instances)
        expected = model(**batch)["log_probabilities"]
        found = model.cuda()(**move_to_device(batch, torch.device("cuda")))["log_probabilities"]
        assert_close(found.cpu(), expected)
