"""FOFE-NER with a filter of spans."""

import json
import math

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.testing import ModelTestCase
from allennlp.models import Model
from allennlp.nn.util import get_text_field_mask, move_to_device
from helpers.paths import ROOT
from helpers.tensors_of import tensors_of
from torch.nn.functional import cross_entropy
from torch.testing import assert_close

from nerzoo.nn.spans import span_mask

CONFIGS = {name: f"training_config/fofe_ner/small/{name}.jsonnet" for name in ("nested", "encoded")}
SENTENCES = "fixtures/people_and_places/dev.conllu"
NO_DROPOUT = {
    "dropout": 0.0,
    "feedforward": {"num_layers": 1, "hidden_dims": 100, "activations": "relu"},
}
EVERY_SPAN = {"overlap_rate": 1.0, "disjoint_rate": 1.0}


@pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)
class TestFofeNerFilter(ModelTestCase):
    @pytest.fixture(autouse=True)
    def set_up(self, monkeypatch, config):
        monkeypatch.chdir(ROOT)
        monkeypatch.setenv("WORD_VECTORS", "")
        self.config = config
        self.set_up_model(config, SENTENCES, seed=13)
        self.batch = tensors_of(self.instances, self.vocab)
        self.is_span = span_mask(get_text_field_mask(self.batch["tokens"]), self.model.max_length)

    def build(self, threshold=None, **parameters):
        """The configured model, with a filter if there is a threshold. All have the same weights."""
        if threshold is not None:
            parameters["span_filter"] = {"threshold": threshold}
        params = Params.from_file(self.config)["model"].as_dict() | parameters
        torch.manual_seed(13)
        model = Model.from_params(Params(json.loads(json.dumps(params))), vocab=self.vocab)
        torch.manual_seed(14)
        with torch.no_grad():
            for _, parameter in sorted(model.named_parameters(), key=lambda pair: ("span_filter" in pair[0], pair[0])):
                parameter.normal_(std=0.1)
        return model

    def threshold(self, share):
        """The threshold that this share of the spans is below."""
        return self.build(0.0).eval()(**self.batch)["filter_probabilities"][self.is_span].quantile(share).item()

    def test_can_train_save_and_load(self):
        overrides = {"train_data_path": SENTENCES, "trainer.num_epochs": 1, "trainer.cuda_device": -1}
        overrides["data_loader.batch_sampler"] = {"type": "bucket", "batch_size": 16, "padding_noise": 0.0}
        overrides["data_loader.batch_sampler"]["shuffle"] = False
        overrides["model.span_filter"] = {}
        self.ensure_model_can_train_save_and_load(self.config, overrides=json.dumps(overrides), tolerance=1e-5)

    def test_a_filter_that_keeps_all_spans_changes_nothing(self):
        expected, found = (self.build(threshold).eval()(**self.batch) for threshold in (None, 0.0))
        assert torch.equal(found["probabilities"], expected["probabilities"])
        assert found["entities"] == expected["entities"]

    def test_spans_below_the_threshold_are_not_classified(self):
        everything = self.build().eval()(**self.batch)["probabilities"]
        threshold = self.threshold(0.7)
        model = self.build(threshold).eval()
        classified = []
        logits = model.logits_of
        model.logits_of = lambda *inputs: lambda spans: classified.append(spans) or logits(*inputs)(spans)
        outputs = model(**self.batch)
        kept = self.is_span & (outputs["filter_probabilities"] >= threshold)
        assert sum(map(len, classified)) == kept.sum() == pytest.approx(0.3 * self.is_span.sum(), abs=2)
        assert_close(outputs["probabilities"][kept], everything[kept])
        left_out = outputs["probabilities"][self.is_span & ~kept]
        assert (left_out[:, 0] == 1).all() and not left_out[:, 1:].any()
        assert not outputs["probabilities"][~self.is_span].any()
        labels = self.batch["spans"]["labels"]
        metrics = model.get_metrics()
        assert metrics["filter_share"] == pytest.approx(kept.sum().item() / self.is_span.sum().item())
        assert metrics["filter_recall"] == pytest.approx(((labels > 0) & kept).sum().item() / (labels > 0).sum().item())
        assert 0 < metrics["filter_recall"] < 1

    def test_loss_in_evaluation_is_that_of_the_spans_kept_and_of_the_filter(self):
        threshold = self.threshold(0.5)
        outputs = self.build(threshold).eval()(**self.batch)
        labels = self.batch["spans"]["labels"]
        kept = self.is_span & (outputs["filter_probabilities"] >= threshold)
        own = cross_entropy(outputs["probabilities"][kept].log(), labels[kept])
        probabilities = outputs["filter_probabilities"][self.is_span]
        gold = torch.where(labels[self.is_span] > 0, probabilities, 1 - probabilities)
        assert_close(outputs["loss"], own - gold.log().mean())

    def test_a_filter_that_keeps_no_span(self):
        outputs = self.build(1.0).eval()(**self.batch)
        assert torch.equal(outputs["probabilities"][..., 0], self.is_span.float())
        assert not any(outputs["entities"]) and outputs["loss"].isfinite()

    def test_gradients_of_the_model_are_those_without_the_filter(self):
        models = [self.build(threshold, **NO_DROPOUT, sampler=EVERY_SPAN) for threshold in (None, 0.0)]
        for model in models:
            model.train()(**self.batch)["loss"].backward()
        plain, filtered = (dict(model.named_parameters()) for model in models)
        for name, parameter in filtered.items():
            if name.startswith("span_filter."):
                assert parameter.grad.any()
            else:
                assert_close(parameter.grad, plain[name].grad)

    def test_the_filter_learns_beside_the_model(self):
        model = self.build(0.3, **NO_DROPOUT, sampler={"overlap_rate": 0.1, "disjoint_rate": 0.1})
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
        for _ in range(40):
            optimizer.zero_grad()
            model.train()(**self.batch)["loss"].backward()
            optimizer.step()
        model.eval()(**self.batch)
        metrics = model.get_metrics()
        assert metrics["filter_recall"] > 0.9 and metrics["filter_share"] < 0.1

    def test_predicts_the_same_alone_and_in_a_batch(self):
        model = self.build(self.threshold(0.5)).eval()
        together = model(**self.batch)["probabilities"]
        for instance, expected in zip(self.instances[:9], together, strict=False):
            (found,) = model(**tensors_of([instance], self.vocab))["probabilities"]
            assert_close(found, expected[: len(found)])

    def test_types_that_are_not_annotated(self):
        model = self.build(0.0).eval()
        annotated = torch.zeros(len(self.instances), len(model.types), dtype=torch.bool)
        annotated[:, 0] = True
        outputs = model(**self.batch, annotated=annotated)
        labels = self.batch["spans"]["labels"]
        assert not outputs["probabilities"][..., 2:].any()
        spans = {**self.batch["spans"], "labels": labels.masked_fill(labels > 1, 0)}
        loss = self.build(1.0).eval()(**{**self.batch, "spans": spans}, annotated=annotated)["loss"]
        # Only the spans of the first type are known, and no span is classified.
        assert_close(loss, -outputs["filter_probabilities"][labels == 1].log().mean())

    def test_weights_without_a_filter(self):
        weights = self.build().state_dict()
        self.build().load_state_dict(weights)
        with pytest.raises(ConfigurationError, match="found nothing for span_filter.lengths among the weights"):
            self.build(0.0).load_state_dict(weights)

    def test_sentences_without_gold_entities(self):
        batch = tensors_of(self.instances, self.vocab, "spans")
        for model in (self.build(0.3).train(), self.build(0.3).eval()):
            assert "loss" not in model(**batch)
        assert math.isclose(model.get_metrics()["filter_share"], 0)

    @pytest.mark.gpu
    @pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
    def test_gpu_agrees_with_cpu(self):
        model = self.build(self.threshold(0.5)).double().eval()
        on_cpu = model(**self.batch)
        on_gpu = model.cuda()(**move_to_device(self.batch, torch.device("cuda")))
        assert_close(on_gpu["probabilities"].cpu(), on_cpu["probabilities"])
