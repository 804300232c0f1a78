import json
import math
from pathlib import Path

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.testing import ModelTestCase
from allennlp.data import DatasetReader, Vocabulary
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.models import Model
from allennlp.nn.util import get_text_field_mask, move_to_device
from allennlp.predictors import Predictor
from helpers.paths import ROOT
from helpers.tensors_of import tensors_of
from torch.testing import assert_close

from nerzoo.models import fofe_ner
from nerzoo.modules.span_features.span_features import FeatureInputs
from nerzoo.nn.spans import span_indices, span_mask
from nerzoo.text.annotation import Entity, Sentence

CONFIG = "training_config/fofe_ner/small/nested.jsonnet"
SENTENCES = "fixtures/people_and_places/dev.conllu"
ONE_EPOCH = {
    "train_data_path": SENTENCES,
    "trainer.num_epochs": 1,
    "trainer.cuda_device": -1,
    # AllenNLP's test reads the first batch twice and wants the same.
    "data_loader.batch_sampler": {"type": "bucket", "batch_size": 16, "padding_noise": 0.0, "shuffle": False},
}
NO_DROPOUT = {
    "dropout": 0.0,
    "feedforward": {"num_layers": 1, "hidden_dims": 100, "activations": "relu"},
}
EVERY_SPAN = {"overlap_rate": 1.0, "disjoint_rate": 1.0}
GAZETTEER = "place Lindow\nperson Mara Quill\n"


def finds(model, entities):
    """The model, but sure of the types of these spans, and that all others are none."""
    types = {type_: 1 + id_ for id_, type_ in enumerate(model.types)}

    def scores(spans):
        labels = [types[entities[start, end]] if (start, end) in entities else 0 for _, start, end in spans.tolist()]
        return 3.0 * torch.nn.functional.one_hot(torch.tensor(labels), 1 + len(types))

    model.logits_of = lambda encoded, are_few: scores
    return model


class TestFofeNer(ModelTestCase):
    @pytest.fixture(autouse=True)
    def set_up(self, monkeypatch):
        monkeypatch.chdir(ROOT)
        self.set_up_model(CONFIG, SENTENCES, seed=13)
        self.reader = DatasetReader.from_params(Params.from_file(CONFIG)["dataset_reader"])

    def build(self, **parameters):
        """The configured model with other parameters."""
        params = Params.from_file(CONFIG)["model"].as_dict()
        params.update(parameters)
        torch.manual_seed(13)
        return Model.from_params(Params(json.loads(json.dumps(params))), vocab=self.vocab)

    def tensors(self, instances, *without):
        return tensors_of(instances, self.vocab, *without)

    def instance(self, words, entities=(), tagged=True):
        sentence = Sentence(words, entities=[Entity(*entity) for entity in entities])
        instance = self.reader.text_to_instance(sentence, tagged=tagged)
        self.reader.apply_token_indexers(instance)
        return instance

    def test_can_train_save_and_load(self):
        self.ensure_model_can_train_save_and_load(CONFIG, overrides=json.dumps(ONE_EPOCH), tolerance=1e-5)

    def test_predicts_the_same_alone_and_in_a_batch(self):
        model = self.build().double().eval()
        together = model(**self.tensors(self.instances))["probabilities"]
        for instance, expected in zip(self.instances, together, strict=True):
            (found,) = model(**self.tensors([instance]))["probabilities"]
            assert_close(found, expected[: len(found)])
            assert not expected[len(found) :].any()

    def test_overfits(self):
        instances = self.instances[:12]
        model, batch = self.build(**NO_DROPOUT, sampler=EVERY_SPAN), self.tensors(instances)
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
        for _ in range(40):
            optimizer.zero_grad()
            model(**batch)["loss"].backward()
            optimizer.step()
        predictions = model.eval().forward_on_instances(instances)
        metrics = model.get_metrics(reset=True)
        assert metrics["f1"] == metrics["recall-depth-1"] == 1.0
        for prediction, instance in zip(predictions, instances, strict=True):
            found = {(entity["start"], entity["end"], entity["label"]) for entity in prediction["entities"]}
            assert found == set(instance["metadata"]["gold_entities"])

    @pytest.mark.parametrize("corrected, expected", [(True, 0.02), (False, 0.02 / (0.02 + 0.98 * 0.1))])
    def test_probabilities_of_all_spans_or_of_the_sample(self, corrected, expected):
        """A model that sees nothing but a bias learns the share of entities among all spans, or among those drawn."""
        rates = {"overlap_rate": 0.1, "disjoint_rate": 0.1, "corrected": corrected}
        model = self.build(**NO_DROPOUT, max_length=1, sampler=rates)
        model.label_projection.weight.data.zero_()
        words = [f"w{number}" for number in range(50)]
        instance = self.instance(words, [Entity(7, 8, "person")])
        labels = torch.zeros(100, 50, 1, dtype=torch.long)
        labels[:, 7] = 1 + model.types.index("person")
        tensors = self.tensors([instance] * 100)
        tensors["spans"] = {"labels": labels, "inside": labels[:, :, 0] > 0}
        model.train()
        optimizer = torch.optim.Adam([model.label_projection.bias], lr=0.3)
        scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.96)
        for _ in range(120):
            optimizer.zero_grad()
            model(**tensors)["loss"].backward()
            optimizer.step()
            scheduler.step()
        found = model.label_projection.bias.softmax(0)[1 + model.types.index("person")]
        assert found.item() == pytest.approx(expected, rel=0.05)

    def test_a_bias_multiplies_the_odds_of_no_entity(self):
        model = self.build().eval()
        before = model(**self.tensors(self.instances[:3]))["probabilities"]
        model.none_bias = -1.0
        after = model(**self.tensors(self.instances[:3]))["probabilities"]
        is_span = before.sum(3) > 0
        odds = [found[is_span][:, :1] / found[is_span][:, 1:] for found in (before, after)]
        assert_close(odds[1], odds[0] * math.exp(-1))
        assert_close(after.sum(3), before.sum(3))

    def test_a_prediction(self):
        prediction = self.model.eval().forward_on_instance(self.instances[0])
        assert prediction.keys() == {"doc_id", "words", "entities", "gold_entities"}
        assert prediction["words"] == self.instances[0]["metadata"]["words"]

    def test_nested_entities_of_a_prediction(self):
        model = finds(self.build().eval(), {(1, 4): "organization", (3, 4): "place"})
        instance = self.instance(["The", "University", "of", "Varda", "."], tagged=False)
        prediction = model.forward_on_instance(instance)
        outer, inner = prediction["entities"]
        assert (outer["start"], outer["end"], outer["label"]) == (1, 4, "organization")
        assert (outer["text"], outer["start_char"], outer["end_char"]) == ("University of Varda", 4, 23)
        assert inner == {
            "start": 3,
            "end": 4,
            "label": "place",
            "text": "Varda",
            "start_char": 18,
            "end_char": 23,
            "probability": pytest.approx(math.exp(3) / (math.exp(3) + len(model.types))),
        }
        assert "loss" not in prediction and "doc_id" not in prediction

    def test_probabilities_of_gold_entities(self):
        model = finds(self.build().eval(), {(1, 4): "organization"})
        words = [*["The", "University", "of", "Varda"], *["x"] * model.max_length]
        gold = [Entity(1, 4, "organization"), Entity(1, 4, "place"), Entity(0, len(words), "place")]
        instance = self.instance(words, gold[:1])
        instance["metadata"].metadata["gold_entities"] = gold
        found = model.forward_on_instance(instance)["gold_entities"]
        share = 1 / (math.exp(3) + len(model.types))
        assert [(entity["start"], entity["end"], entity["label"]) for entity in found] == gold
        assert [entity["probability"] for entity in found] == pytest.approx([math.exp(3) * share, share, 0.0])

    @pytest.mark.parametrize("temperature", [0.5, 2.0])
    def test_a_temperature_divides_logits(self, temperature):
        model = finds(self.build().eval(), {(1, 4): "organization"})
        instance = self.instance(["The", "University", "of", "Varda", "."], tagged=False)
        model.temperature = temperature
        (entity,) = model.forward_on_instance(instance)["entities"]
        power = math.exp(3 / temperature)
        assert entity["probability"] == pytest.approx(power / (power + len(model.types)))

    def test_probabilities_under_autocast_are_in_single_precision(self):
        model, batch = self.build().eval(), self.tensors(self.instances)
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
            found = model(**batch)["probabilities"]
        assert found.dtype == torch.float32
        is_span = span_mask(get_text_field_mask(batch["tokens"]), model.max_length)
        assert_close(found.sum(3), is_span.float())

    def test_the_predictor_takes_words_and_text(self):
        predictor = Predictor.by_name("ner")(finds(self.model, {(0, 1): "person", (3, 4): "place"}), self.reader)
        words = predictor.predict_json({"words": ["Mara", "left", "for", "Lindow", "."]})
        text = predictor.predict_json({"sentence": "Mara left for Lindow."})
        assert [entity["text"] for entity in words["entities"]] == ["Mara", "Lindow"]
        assert words["words"] == text["words"]
        assert words["text"] == "Mara left for Lindow ." and text["text"] == "Mara left for Lindow."
        assert words["entities"] == text["entities"]

    def test_loss_in_evaluation_is_that_of_all_spans(self):
        model, batch = self.build(max_length=7).eval(), self.tensors(self.instances)
        outputs = model(**batch)
        mask = get_text_field_mask(batch["tokens"])
        losses = []
        for sentence, length in enumerate(mask.sum(1).tolist()):
            for start in range(length):
                for end in range(start + 1, min(start + 7, length) + 1):
                    label = batch["spans"]["labels"][sentence, start, end - start - 1]
                    losses.append(-outputs["probabilities"][sentence, start, end - start - 1, label].log())
        assert_close(outputs["loss"], torch.stack(losses).mean())

    def test_loss_in_training_is_that_of_a_sample(self):
        batch = self.tensors(self.instances)
        everything = self.build(**NO_DROPOUT, sampler=EVERY_SPAN)
        expected = everything.eval()(**batch)["loss"]
        assert_close(everything.train()(**batch)["loss"], expected)
        positives = self.build(**NO_DROPOUT, sampler={"overlap_rate": 0.0, "disjoint_rate": 0.0})
        probabilities = positives.eval()(**batch)["probabilities"]
        labels = batch["spans"]["labels"]
        of_labels = probabilities.gather(3, labels.unsqueeze(3)).squeeze(3)[labels > 0]
        outputs = positives.train()(**batch)
        assert_close(outputs["loss"], -of_labels.log().mean())
        assert outputs.keys() == {"loss", "metadata"} and positives.get_metrics() == {}

    def test_products_that_spans_share_have_the_same_dropout_and_gradients(self):
        model = self.build(**{**NO_DROPOUT, "dropout": 0.5}, dropout_per_sentence=True).double().train()
        tokens = self.tensors(self.instances[:6])["tokens"]
        inputs = FeatureInputs(tokens, get_text_field_mask(tokens), model.max_length)
        spans = span_indices(span_mask(inputs.mask, model.max_length))
        above = torch.randn(len(spans), 1 + len(model.types), dtype=torch.float64)
        results = []
        for are_few in (True, False):
            torch.manual_seed(4)
            logits = model.logits_of(model._encoded(inputs), are_few)(spans)
            results.append([logits, *torch.autograd.grad((above * logits).sum(), list(model.parameters()))])
        assert_close(*results)

    def test_one_mask_of_dropout_for_all_spans_of_a_sentence(self):
        model = self.build(**{**NO_DROPOUT, "dropout": 0.5}, dropout_per_sentence=True)
        batch, drawn = self.tensors(self.instances[:6]), []
        model.dropout.register_forward_hook(lambda module, inputs, output: drawn.append(output))
        model.train()(**batch)
        (factors,) = drawn
        assert factors.shape == (6, model.feedforward.get_input_dim())
        assert set(factors.unique().tolist()) == {0.0, 2.0}
        assert not torch.equal(factors[0], factors[1])

    def test_a_batch_without_a_span_to_train_on(self):
        model = self.build(sampler={"overlap_rate": 0.0, "disjoint_rate": 0.0}).train()
        loss = model(**self.tensors([self.instance(["no", "name"])]))["loss"]
        loss.backward()
        assert loss == 0
        assert not any(parameter.grad.any() for parameter in model.parameters())

    def test_a_batch_without_an_entity(self):
        model = self.build(sampler={"overlap_rate": 0.0, "disjoint_rate": 1.0}).train()
        loss = model(**self.tensors([self.instance(["no", "name", "here"]), self.instance(["none"])]))["loss"]
        loss.backward()
        assert loss > 0
        assert all(parameter.grad.isfinite().all() for parameter in model.parameters())

    def test_many_spans_are_classified_as_few(self, monkeypatch):
        batch = self.tensors(self.instances)
        model = self.build().double().eval()
        expected = model(**batch)["probabilities"]
        monkeypatch.setattr(fofe_ner, "SPANS_AT_A_TIME", 17)
        assert_close(model(**batch)["probabilities"], expected)

    def test_recall_counts_an_entity_longer_than_any_span(self):
        model = finds(self.build().eval(), {(2, 3): "place"})
        model(**self.tensors([self.instance(["a"] * 9, [(0, 9, "place"), (2, 3, "place")])]))
        metrics = model.get_metrics()
        assert (metrics["precision"], metrics["recall"]) == (1.0, 0.5)

    def test_recall_counts_the_nested_entities_that_a_decoder_of_one_level_cannot_find(self):
        words = ["The", "University", "of", "Varda", "."]
        gold = {(1, 4): "organization", (3, 4): "place"}
        instance = self.instance(words, [(*span, type_) for span, type_ in gold.items()])
        for levels, found in ((["longest_first"], 1), (["longest_first", "highest_first"], 2)):
            model = finds(self.build(decoder={"levels": levels}).eval(), gold)
            outputs = model(**self.tensors([instance]))
            assert len(outputs["entities"][0]) == found
            metrics = model.get_metrics()
            assert (metrics["precision"], metrics["recall"]) == (1.0, found / 2)
            assert (metrics["recall-depth-0"], metrics["recall-depth-1"]) == (1.0, found - 1)

    def test_sentences_without_gold_entities(self):
        batch = self.tensors(self.instances, "spans")
        for model in (self.model.train(), self.model.eval()):
            outputs = model(**batch)
            assert "loss" not in outputs
        assert len(outputs["entities"]) == len(self.instances)

    def test_another_max_length_of_the_reader_is_an_error(self):
        model = self.build(max_length=5)
        with pytest.raises(ConfigurationError, match="of the reader must match the model's, but got 7 and 5"):
            model(**self.tensors(self.instances))

    @pytest.mark.parametrize("max_length", [0, -1])
    def test_a_max_length_below_1_is_an_error(self, max_length):
        with pytest.raises(ConfigurationError, match=f"found the max_length {max_length}, expected at least 1"):
            self.build(max_length=max_length)

    def test_no_features_or_types_are_errors(self):
        with pytest.raises(ConfigurationError, match="found no features, expected one at least"):
            self.build(features={})
        self.vocab = Vocabulary()
        with pytest.raises(ConfigurationError, match="found no types of entities in the vocabulary"):
            self.build()

    @pytest.mark.parametrize(
        "fields, names",
        [
            ("codes:: {}", {"fofe_characters", "character_cnn"}),
            ("initials:: true", {"uncased", "cased", "fofe_characters", "character_cnn", "initials"}),
            ("codes:: {}, fofe_characters:: false", {"character_cnn"}),
            ("codes:: {}, fofe_characters:: false, character_cnn:: false", {"gazetteer"}),
        ],
    )
    def test_each_feature_can_be_on_or_off(self, tmp_path, fields, names):
        if "gazetteer" in names:
            Path(tmp_path, "gazetteer.txt").write_text(GAZETTEER)
            fields += f", gazetteer:: '{tmp_path}/gazetteer.txt'"
        characters = "fofe_characters:: true, character_cnn:: true"
        config = f"(import '{ROOT}/{CONFIG}') + {{ {characters} }} + {{ {fields} }}"
        Path(tmp_path, "config.jsonnet").write_text(config)
        params = Params.from_file(tmp_path / "config.jsonnet")
        reader = DatasetReader.from_params(params["dataset_reader"])
        loader = SimpleDataLoader.from_dataset_reader(reader, SENTENCES, batch_size=40)
        vocab = Vocabulary.from_instances(loader.instances)
        loader.index_with(vocab)
        (batch,) = loader
        model = Model.from_params(params["model"], vocab=vocab)
        model(**batch)["loss"].backward()
        assert set(model.features) == names
        assert all(parameter.grad.isfinite().all() for parameter in model.parameters())
        assert model.feedforward.get_input_dim() == sum(part.get_output_dim() for part in model.features.values())

    def test_a_sentence_of_2000_words(self):
        instance = self.instance([f"word{n % 13}" for n in range(2000)], [(0, 1, "place")])
        model = self.build().eval()
        with torch.no_grad():
            outputs = model(**self.tensors([instance]))
        assert outputs["probabilities"].shape[:3] == (1, 2000, 7)
        assert_close(outputs["probabilities"].sum(3)[0, :1994], torch.ones(1994, 7))
        model.train()(**self.tensors([instance]))["loss"].backward()
        assert all(parameter.grad.isfinite().all() for parameter in model.parameters())

    @pytest.mark.gpu
    @pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
    def test_gpu_agrees_with_cpu(self):
        model, batch = self.build(**NO_DROPOUT, sampler=EVERY_SPAN).double(), self.tensors(self.instances)
        on_cpu = model.eval()(**batch)
        model, batch = model.cuda(), move_to_device(batch, torch.device("cuda"))
        on_gpu = model(**batch)
        assert_close(on_gpu["probabilities"].cpu(), on_cpu["probabilities"])
        for found, expected in zip(on_gpu["entities"], on_cpu["entities"], strict=True):
            assert [entity[:3] for entity in found] == [entity[:3] for entity in expected]
            assert [entity.score for entity in found] == pytest.approx([entity.score for entity in expected])
        assert_close(model.train()(**batch)["loss"].cpu(), on_cpu["loss"])
