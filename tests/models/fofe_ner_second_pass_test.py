import json
import shutil

import pytest
import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.testing import ModelTestCase
from allennlp.data import DatasetReader, Vocabulary
from allennlp.models import Model, load_archive
from allennlp.nn.util import get_text_field_mask, move_to_device
from allennlp.predictors import Predictor
from helpers.paths import FIXTURES, ROOT
from helpers.tensors_of import tensors_of
from torch.testing import assert_close

from nerzoo.text.span_levels import ScoredEntity

SENTENCES = FIXTURES / "people_and_places/dev.conllu"
FIRST = f"""(import '{ROOT}/training_config/fofe_ner/small/nested.jsonnet') {{
  word_vector_size:: 5,
  hidden_size:: 7,
  epochs:: 1,
  train_data_path: '{SENTENCES}',
  validation_data_path: '{SENTENCES}',
  trainer+: {{ cuda_device: -1 }},
  // AllenNLP's test reads the first batch twice and wants the same.
  data_loader: {{ batch_sampler: {{ type: 'bucket', batch_size: 16, padding_noise: 0.0, shuffle: false }} }},
}}"""


def write_config(path, text):
    path.write_text(text)
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The output of `nerzoo cross-predict`, except that the model was trained on the sentences that it predicts."""
    folder = tmp_path_factory.mktemp("first_pass")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        train_model(Params.from_file(write_config(folder / "first.jsonnet", FIRST)), folder / "model")
    predictor = Predictor.from_archive(load_archive(folder / "model/model.tar.gz"))
    finds(predictor._model, {(0, 3): "person", (1, 2): "place"})
    instances = list(predictor._dataset_reader.read(SENTENCES))
    lines = map(predictor.dump_line, predictor.predict_batch_instance(instances))
    (folder / "predictions.jsonl").write_text("".join(lines))
    function = f"(import '{ROOT}/training_config/fofe_ner/second_pass.libsonnet')"
    second = Params.from_file(write_config(folder / "second.jsonnet", f"{function}({FIRST}, '{folder}')"))
    # Each test reads it several times, which takes Jsonnet longer than the model.
    write_config(folder / "second.json", json.dumps(second.as_dict(quiet=True)))
    return folder


def finds(model, entities):
    """The model, but all that it finds in every sentence are these entities, if the sentence is long enough."""

    def decode(probabilities, mask):
        return [
            [ScoredEntity(start, end, label, 0.75) for (start, end), label in entities.items() if end <= length]
            for length in mask.sum(1).tolist()
        ]

    model.decode = decode
    return model


class TestFofeNerSecondPass(ModelTestCase):
    @pytest.fixture(autouse=True)
    def set_up(self, folder, monkeypatch):
        monkeypatch.chdir(ROOT)
        self.folder = folder
        self.config = folder / "second.json"
        self.set_up_model(self.config, SENTENCES, seed=13)
        self.first = load_archive(folder / "model/model.tar.gz").model.eval()

    def build(self, **parameters):
        """The configured model with other parameters."""
        params = Params.from_file(self.config)["model"].as_dict()
        params.update(parameters)
        torch.manual_seed(13)
        return Model.from_params(Params(json.loads(json.dumps(params))), vocab=self.vocab)

    def tensors(self, instances, *without):
        return tensors_of(instances, self.vocab, *without)

    def long_instances(self):
        return [instance for instance in self.instances if len(instance["tokens"]) >= 6]

    def entities_seen(self, model):
        """What the features of each call were given."""
        seen = []
        feature = model.features["cased"]
        encode = feature.encode

        def note(inputs):
            seen.append(inputs.first_pass)
            return encode(inputs)

        feature.encode = note
        return seen

    def test_can_train_save_and_load(self):
        self.ensure_model_can_train_save_and_load(self.config, tolerance=1e-5)

    def test_one_archive_has_both_passes(self, tmp_path):
        copy = shutil.copytree(self.folder, tmp_path / "first_pass")
        config = self.config.read_text().replace(str(self.folder), str(copy))
        trained = train_model(Params.from_file(write_config(tmp_path / "copy.json", config)), tmp_path / "second")
        shutil.rmtree(copy)
        archive = load_archive(tmp_path / "second/model.tar.gz")
        for name, weights in self.first.state_dict().items():
            assert torch.equal(archive.model.first_pass.state_dict()[name], weights)
        assert archive.model.features["cased"].type_embedder.weight.shape == (3, 5)
        instances = list(archive.validation_dataset_reader.read(SENTENCES))
        assert "first_pass" not in instances[0].fields
        batch = self.tensors(instances)
        assert_close(archive.model.eval()(**batch)["probabilities"], trained.eval()(**batch)["probabilities"])
        prediction = Predictor.from_archive(archive).predict_json({"sentence": "Mara left for Lindow."})
        assert prediction.keys() == {"entities", "text", "words"}

    def test_the_first_pass_is_not_trained(self):
        model = self.build()
        optimised = [name for name, parameter in model.named_parameters() if parameter.requires_grad]
        assert not any(name.startswith("first_pass.") for name in optimised)
        assert "features.cased.type_embedder.weight" in optimised
        model.train()
        assert model.training and not any(module.training for module in model.first_pass.modules())
        model(**self.tensors(self.instances))["loss"].backward()
        assert all(parameter.grad is None for parameter in model.first_pass.parameters())
        assert model.features["cased"].type_embedder.weight.grad.any()

    def test_training_sees_the_entities_of_the_field(self):
        model, batch = self.build().train(), self.tensors(self.long_instances())
        seen = self.entities_seen(model)
        outputs = model(**batch)
        assert torch.equal(seen[0], batch["first_pass"])
        person = 1 + self.vocab.get_token_index("person", "labels")
        assert batch["first_pass"][:, :3].tolist() == [[person, -1, -1]] * len(seen[0])
        assert outputs.keys() == {"loss", "metadata"}

    def test_evaluation_sees_the_outermost_entities_of_the_first_pass(self):
        model, batch = self.build().eval(), self.tensors(self.long_instances(), "first_pass")
        finds(model.first_pass, {(0, 4): "place", (0, 2): "person", (5, 6): "person"})
        seen = self.entities_seen(model)
        probabilities = model(**batch)["probabilities"]
        person, place = (1 + self.vocab.get_token_index(type_, "labels") for type_ in ("person", "place"))
        expected = torch.zeros_like(batch["tokens"]["cased"]["tokens"])
        expected[:, :6] = torch.tensor([place, -1, -1, -1, 0, person])
        assert torch.equal(seen[0], expected)
        with_field = {**batch, "first_pass": torch.zeros_like(expected)}
        assert torch.equal(model(**with_field)["probabilities"], probabilities)

    @pytest.mark.parametrize("weight", [0.0, 0.25, 0.6, 1.0])
    def test_probabilities_are_averaged_and_decoded(self, weight):
        batch = self.tensors(self.instances)
        first = self.first(**batch)["probabilities"]
        second = self.build(first_pass_weight=0.0).eval()(**batch)["probabilities"]
        model = self.build(first_pass_weight=weight).eval()
        outputs = model(**batch)
        assert_close(outputs["probabilities"], weight * first + (1 - weight) * second)
        assert not torch.allclose(first, second)
        mask = get_text_field_mask(batch["tokens"])
        assert outputs["entities"] == model.decode(outputs["probabilities"], mask)
        assert model.get_metrics().keys() >= {"precision", "recall", "f1"}

    def test_the_weight_of_the_first_pass_is_the_original_programs(self):
        assert self.build().first_pass_weight == 0.6

    def test_each_pass_has_its_own_decoder(self):
        def threshold(value):
            return {"levels": [{"type": "highest_first", "threshold": value}]}

        first = {**Params.from_file(self.config)["model"]["first_pass"].as_dict(), "decoder": threshold(0.0)}
        model = self.build(first_pass=first, decoder=threshold(1.0)).eval()
        seen = self.entities_seen(model)
        # Whatever the first pass takes for an entity at all.
        with torch.no_grad():
            model.first_pass.label_projection.bias[1] += 100
        outputs = model(**self.tensors(self.instances))
        assert not any(outputs["entities"]) and (seen[0] > 0).any()

    def test_each_pass_has_its_own_filter(self):
        batch = self.tensors(self.instances)
        plain = self.build(first_pass_weight=0.25).eval()(**batch)["probabilities"]
        model = self.build(first_pass_weight=0.25, span_filter={"threshold": 0.0}).eval()
        model.load_state_dict({**model.state_dict(), **self.build().state_dict()})
        outputs = model(**batch)
        assert torch.equal(outputs["probabilities"], plain)
        # The second pass classifies half of the spans, and takes the others for no entities.
        is_span = plain.sum(3) > 0
        model.span_filter.threshold = outputs["filter_probabilities"][is_span].median().item()
        found = model(**batch)["probabilities"]
        kept = is_span & (outputs["filter_probabilities"] >= model.span_filter.threshold)
        assert_close(found[kept], plain[kept])
        left_out = self.first(**batch)["probabilities"][is_span & ~kept] * 0.25
        left_out[:, 0] += 0.75
        assert_close(found[is_span & ~kept], left_out)
        model.train()(**batch)["loss"].backward()
        assert model.span_filter.lengths.grad.any()

    def test_predicts_the_same_alone_and_in_a_batch(self):
        model = self.build().double().eval()
        finds(model.first_pass, {(0, 2): "person", (4, 5): "place"})
        together = model(**self.tensors(self.instances))["probabilities"]
        for instance, expected in zip(self.instances, together, strict=True):
            (found,) = model(**self.tensors([instance]))["probabilities"]
            assert_close(found, expected[: len(found)])
            assert not expected[len(found) :].any()

    def test_a_sentence_of_one_word(self):
        reader = DatasetReader.from_params(Params.from_file(self.config)["validation_dataset_reader"])
        prediction = Predictor.by_name("ner")(self.build(), reader).predict_json({"words": ["Lindow"]})
        assert prediction["words"] == ["Lindow"]

    def test_training_without_the_entities_of_a_first_pass_is_an_error(self):
        with pytest.raises(ConfigurationError, match="no entities of a first pass, .* writes FOLDER/predictions.jsonl"):
            self.build().train()(**self.tensors(self.instances, "first_pass"))

    def test_a_first_pass_without_weights_is_an_error(self):
        model, batch = self.build(pretrained_file=None), self.tensors(self.instances)
        for mode in (True, False):
            model.train(mode)
            with pytest.raises(ConfigurationError, match="a first pass that is not trained, .*/model/model.tar.gz"):
                model(**batch)

    def test_an_absent_archive_is_an_error_that_names_the_command(self, tmp_path):
        message = "model.tar.gz: found nothing there .*, expected an archive.*`nerzoo cross-predict CONFIG -s FOLDER`"
        with pytest.raises(ConfigurationError, match=message):
            self.build(pretrained_file=str(tmp_path / "model.tar.gz"))

    def test_another_vocabulary_is_an_error(self):
        words = self.vocab.get_index_to_token_vocabulary("cased")
        self.vocab = Vocabulary.from_files(self.folder / "model/vocabulary")
        index = self.vocab._index_to_token["cased"]
        index[2], index[3] = words[3], words[2]
        with pytest.raises(ConfigurationError, match="another vocabulary of cased than this model's, .*from_files"):
            self.build()

    def test_another_configuration_of_the_first_pass_is_an_error(self):
        first = Params.from_file(self.config)["model"]["first_pass"].as_dict()
        first["feedforward"]["hidden_dims"] = 8
        with pytest.raises(ConfigurationError, match="other weights than those of the first_pass in the configuration"):
            self.build(first_pass=first)

    def test_other_parameters_are_errors(self):
        first = Params.from_file(self.config)["model"]["first_pass"].as_dict()
        with pytest.raises(ConfigurationError, match="of first_pass must match the model's, but got 5 and 7"):
            self.build(first_pass={**first, "max_length": 5})
        with pytest.raises(ConfigurationError, match="found the first_pass_weight 1.5, expected a number from 0 to 1"):
            self.build(first_pass_weight=1.5)
        embedding = {"type": "embedding", "embedding_dim": 3, "vocab_namespace": "cased"}
        tagger = {
            "type": "simple_tagger",
            "text_field_embedder": {"token_embedders": {"cased": embedding}},
            "encoder": {"type": "pass_through", "input_dim": 3},
            "calculate_span_f1": False,
        }
        with pytest.raises(ConfigurationError, match="a first pass of type SimpleTagger, expected .* fofe_ner"):
            self.build(first_pass=tagger)

    @pytest.mark.gpu
    @pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
    def test_gpu_agrees_with_cpu(self):
        model, batch = self.build().double().eval(), self.tensors(self.instances)
        on_cpu = model(**batch)
        on_gpu = model.cuda()(**move_to_device(batch, torch.device("cuda")))
        assert_close(on_gpu["probabilities"].cpu(), on_cpu["probabilities"])
