import copy
import json
from itertools import islice

import pytest
import torch
from allennlp.commands.train import train_model_from_file
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.testing import ModelTestCase
from allennlp.data import Batch, DatasetReader, Instance, Vocabulary
from allennlp.models import Model, load_archive
from helpers.paths import ROOT
from helpers.tensors_of import tensors_of

from nerzoo.data.fields import TagField
from nerzoo.models.sequence_tagger import SequenceTagger
from nerzoo.text.annotation import Sentence

CONFIG = "training_config/deptree_ner.jsonnet"
CHAR_ATTENTION = {
    "ner": "training_config/char_attention.jsonnet",
    **{task: f"training_config/char_attention/small/{task}.jsonnet" for task in ("chunking", "pos", "error_detection")},
}
SENTENCES = "fixtures/people_and_places/dev.conllu"
ONE_EPOCH = {
    "train_data_path": SENTENCES,
    "trainer.num_epochs": 1,
    "trainer.cuda_device": -1,
    # Its training takes seconds.
    "dataset_reader.parser": None,
    # AllenNLP's test reads the first batch twice and wants the same.
    "data_loader.batch_sampler": {"type": "bucket", "batch_size": 16, "padding_noise": 0.0, "shuffle": False},
}
LSTM = {"type": "lstm", "input_size": 96, "hidden_size": 5}


class TestSequenceTagger(ModelTestCase):
    @pytest.fixture(autouse=True)
    def set_up(self, monkeypatch):
        monkeypatch.chdir(ROOT)
        self.set_up_model(CONFIG, SENTENCES, seed=13)
        self.reader = DatasetReader.from_params(Params.from_file(CONFIG)["dataset_reader"])

    def build(self, encoder=None, **parameters) -> SequenceTagger:
        """The configured model with other parameters, or an encoder in place of its own."""
        params = Params.from_file(CONFIG)["model"].as_dict()
        params.update(parameters)
        params["encoder"] = dict(encoder or params["encoder"])  # from_params empties what it reads.
        torch.manual_seed(13)
        return Model.from_params(Params(params), vocab=self.vocab)

    def tensors(self, instances, *without) -> dict:
        return tensors_of(instances, self.vocab, *without)

    def test_can_train_save_and_load(self):
        self.ensure_model_can_train_save_and_load(CONFIG, overrides=json.dumps(ONE_EPOCH))

    @pytest.mark.parametrize("distribution", ["crf", "softmax"])
    def test_predicts_the_same_alone_and_in_a_batch(self, distribution):
        self.model = self.build(head={"distribution": distribution}).double()
        self.ensure_batch_predictions_are_consistent()

    @pytest.mark.parametrize("distribution", ["crf", "softmax"])
    def test_overfits(self, distribution):
        instances = self.instances[:12]
        model, batch = self.build(head={"distribution": distribution}), self.tensors(instances)
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
        for _ in range(40):
            optimizer.zero_grad()
            model(**batch)["loss"].backward()
            optimizer.step()
        predictions = model.eval().forward_on_instances(instances)
        assert model.get_metrics()["f1"] == 1.0
        entities = [entity for prediction in predictions for entity in prediction["entities"]]
        assert len(entities) > 5
        for prediction in predictions:
            assert prediction["tags"] == prediction["gold_tags"]

    def test_predictions_hold_words_tags_and_entities_only(self):
        prediction = self.model.eval().forward_on_instance(self.instances[0])
        assert prediction.keys() == {"doc_id", "words", "tags", "gold_tags", "entities"}
        assert len(prediction["words"]) == len(prediction["tags"]) == len(self.instances[0]["tokens"])

    def test_scores_in_evaluation_only(self):
        model, batch = self.build().train(), self.tensors(self.instances)
        assert "tags" not in model(**batch)
        assert model.get_metrics() == {}
        model.eval()(**batch)
        assert model.get_metrics(reset=True).keys() == {"precision", "recall", "f1", "accuracy"}

    def test_scores_per_type(self):
        model = self.build(head={"metrics_per_type": True}).eval()
        model(**self.tensors(self.instances))
        types = {tag[2:] for tag in self.vocab.get_token_to_index_vocabulary("labels") if tag != "O"}
        assert {name for name in model.get_metrics() if name.startswith("f1-")} == {f"f1-{type_}" for type_ in types}

    def test_tags_without_a_coding_scheme(self):
        instance = self.instances[0]
        tokens = instance["tokens"]
        tags = TagField(instance["tags"].labels, tokens, ["file"] * len(tokens))
        instance = Instance({**instance.fields, "tags": tags})
        self.vocab = Vocabulary.from_instances([instance])
        model = self.build().eval()
        prediction = model.forward_on_instance(instance)
        assert "entities" not in prediction
        assert model.get_metrics().keys() == {"accuracy"}

    def test_extra_outputs(self):
        model = self.build(extra_outputs=["logits", "attention"]).eval()
        for prediction in model.forward_on_instances(self.instances[:5]):
            n = len(prediction["words"])
            logits, relative, global_ = (
                torch.tensor(prediction[name]) for name in ("logits", "relative_attention", "global_attention")
            )
            assert logits.shape == (n, self.vocab.get_vocab_size("labels"))
            assert relative.shape == (n, n)
            assert global_.shape == (n,)
            torch.testing.assert_close(relative.sum(1), torch.full((n,), float(n > 1)))
            assert global_.sum().item() == pytest.approx(1.0)
            assert "without_effect" not in prediction

    def test_attention_without_effect_is_said_to_be(self):
        encoder = Params.from_file(CONFIG)["model"]["encoder"].as_dict() | {"norm": True}
        for extra_outputs in ([], ["attention"]):
            model = self.build(copy.deepcopy(encoder), extra_outputs=extra_outputs).eval()
            prediction = model.forward_on_instance(self.instances[0])
            assert prediction.get("without_effect") == (["global_attention"] if extra_outputs else None)

    @pytest.mark.parametrize("null_memory", [False, True])
    def test_attention_to_a_memory_of_the_sentence(self, null_memory):
        encoder = {"type": "memory_hop", "input_size": 96, "hidden_size": 5, "null_memory": null_memory}
        model = self.build(encoder, extra_outputs=["attention"]).eval()
        for prediction in model.forward_on_instances(self.instances):
            weights = torch.tensor(prediction["attention"])
            n = len(prediction["words"])
            assert weights.shape == (n, n + null_memory)
            assert weights.sum(1).tolist() == pytest.approx([1.0] * n)

    def test_a_memory_that_reads_sentences_of_documents(self):
        encoder = {"type": "memory_hop", "input_size": 96, "hidden_size": 5, "current_input": "sentence"}
        with pytest.raises(ConfigurationError, match="MemoryEncoder reads sentences, but the instances have none"):
            self.build(encoder)(**self.tensors(self.instances))

    def test_extra_outputs_of_an_encoder_that_is_an_attention(self):
        encoder = {"type": "relative_attention", "input_size": 96}
        model = self.build(encoder, extra_outputs=["attention"]).eval()
        prediction = model.forward_on_instance(self.instances[1])
        n = len(prediction["words"])
        assert torch.tensor(prediction["attention"]).shape == (n, n)

    @pytest.mark.parametrize(
        "extra, message",
        [
            ("heads", "found the extra output 'heads', expected one of .* logits, n_best;"),
            ("attention", "found the extra output 'attention', .*; attention needs an encoder that"),
        ],
    )
    def test_unknown_extra_outputs_are_errors(self, extra, message):
        with pytest.raises(ConfigurationError, match=message):
            self.build(LSTM, extra_outputs=[extra])

    def test_a_tree_encoder_without_trees_is_an_error(self):
        batch = self.tensors(self.instances, "heads")
        with pytest.raises(
            ConfigurationError, match="DependencyAwareEncoder reads dependency trees.* dataset_reader.parser"
        ):
            self.model(**batch)
        assert self.build(LSTM)(**batch)["loss"].isfinite()

    def test_sizes_that_do_not_fit_are_an_error(self):
        with pytest.raises(ConfigurationError, match="size of the embedded words .*encoder.* 96 and 97"):
            self.build({**LSTM, "input_size": 97})

    def test_sentences_without_gold_tags(self):
        batch = self.tensors(self.instances, "tags")
        outputs = self.model.eval()(**batch)
        assert "loss" not in outputs
        assert outputs["tags"].shape == batch["heads"].shape

    def test_initializer(self):
        model = self.build(initializer={"regexes": [["head.tag_projection.bias", {"type": "constant", "val": 3.0}]]})
        assert (model.head.tag_projection.bias == 3.0).all()

    def test_a_sentence_of_2000_words_in_a_chain(self):
        words = [f"word{n % 13}" for n in range(2000)]
        sentence = Sentence(words, ["X"] * 2000, list(range(2000)), ["dep"] * 2000)
        instance = self.reader.text_to_instance(sentence)
        self.reader.apply_token_indexers(instance)
        outputs = self.model(**self.tensors([instance]))
        outputs["loss"].backward()
        assert outputs["logits"].shape[1] == 2000
        assert all(parameter.grad.isfinite().all() for parameter in self.model.parameters())


MEASURES = {"ner": "f1", "chunking": "f1", "pos": "accuracy", "error_detection": "f0.5"}
EMBEDDER = "model.text_field_embedder.token_embedders.words"
WITHOUT_DROPOUT = {f"{EMBEDDER}.dropout": 0.0, "model.dropout": 0.0}


@pytest.fixture
def of_task(monkeypatch):
    """Builds the model of a configuration of char_attention and seven instances of its development part."""
    monkeypatch.chdir(ROOT)

    def build(task="ner", **overrides):
        params = Params.from_file(CHAR_ATTENTION[task], json.dumps(overrides))
        reader = DatasetReader.from_params(params["dataset_reader"])
        instances = list(islice(reader.read(params["validation_data_path"]), 7))
        for instance in instances:
            reader.apply_token_indexers(instance)
        vocab = Vocabulary.from_instances(instances)
        torch.manual_seed(13)
        model = Model.from_params(params["model"], vocab=vocab)
        batch = Batch(instances)
        batch.index_instances(vocab)
        return model, instances, batch.as_tensor_dict()

    return build


@pytest.mark.parametrize("distribution", ["crf", "softmax"])
@pytest.mark.parametrize("task", MEASURES)
def test_every_task_overfits(of_task, task, distribution):
    model, instances, batch = of_task(task, **WITHOUT_DROPOUT, **{"model.head.distribution": distribution})
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-2)
    for _ in range(40):
        optimizer.zero_grad()
        model(**batch)["loss"].backward()
        optimizer.step()
    predictions = model.eval().forward_on_instances(instances)
    assert model.get_metrics()[MEASURES[task]] == pytest.approx(1.0)
    for prediction in predictions:
        assert prediction["tags"] == prediction["gold_tags"]
        assert ("entities" in prediction) == (MEASURES[task] == "f1")


def test_auxiliary_loss_is_in_the_loss_of_training_alone(of_task):
    model, _, batch = of_task(**WITHOUT_DROPOUT)
    embedder = model.text_field_embedder.token_embedder_words
    with_auxiliary_loss = model(**batch)["loss"]
    metrics = model.get_metrics(reset=True)
    embedder._auxiliary_weight = 0.0
    without = model(**batch)["loss"]
    assert model.get_metrics() == {}
    embedder._auxiliary_weight = 1.0
    embedder(**batch["tokens"]["words"])
    expected = embedder.auxiliary_loss() / (batch["tokens"]["words"]["words"] > 0).sum()
    torch.testing.assert_close(with_auxiliary_loss - without, expected)
    assert metrics == {"auxiliary_loss": pytest.approx(expected.item())}

    in_evaluation = model.eval()(**batch)["loss"]
    torch.testing.assert_close(in_evaluation, without)
    assert "auxiliary_loss" not in model.get_metrics()


def test_loss_can_be_that_of_a_batch_or_of_a_sentence(of_task):
    (mean, _, batch), (whole, _, _), (sentence, _, _) = (
        of_task(**WITHOUT_DROPOUT, **{"model.loss_reduction": reduction}) for reduction in ("mean", "sum", "sentence")
    )
    num_words = (batch["tokens"]["words"]["words"] > 0).sum()
    num_sentences = len(batch["tokens"]["words"]["words"])
    assert num_sentences > 1
    torch.testing.assert_close(whole(**batch)["loss"], mean(**batch)["loss"] * num_words)
    torch.testing.assert_close(sentence(**batch)["loss"], mean(**batch)["loss"] * num_words / num_sentences)
    with pytest.raises(ConfigurationError, match="the loss_reduction 'max', expected 'mean', 'sentence' or 'sum'"):
        of_task(**{"model.loss_reduction": "max"})


@pytest.mark.parametrize("kind", ["element", "variational", "word"])
def test_input_dropout_is_on_the_embedded_words_in_training_alone(of_task, kind):
    model, _, batch = of_task(**WITHOUT_DROPOUT, **{"model.input_dropout": {"type": kind, "p": 0.5}})
    seen = []
    model.encoder.register_forward_pre_hook(lambda module, inputs: seen.append(inputs[0]))
    model(**batch)
    model.eval()(**batch)
    dropped, whole = seen
    kept = dropped != 0
    torch.testing.assert_close(dropped[kept], 2 * whole[kept])
    assert 0.2 < kept[whole != 0].float().mean() < 0.8


def test_gate_on_request(of_task):
    model, instances, batch = of_task(**{"model.extra_outputs": ["gate", "gate_features"]})
    predictions = model.eval().forward_on_instances(instances)
    gate = model.text_field_embedder.token_embedder_words.gate(**batch["tokens"]["words"]).mean(-1)
    for row, prediction in zip(gate, predictions, strict=True):
        n = len(prediction["words"])
        assert prediction["gate"] == pytest.approx(row[:n].tolist(), abs=1e-6)
        assert all(0 < value < 1 for value in prediction["gate"])
        features = torch.tensor(prediction["gate_features"])
        assert features.shape == (n, model.text_field_embedder.get_output_dim())
        torch.testing.assert_close(features.mean(1), row[:n])
    assert "gate" not in of_task()[0].eval().forward_on_instance(instances[0])


@pytest.mark.parametrize("combination, input_size", [("concat", 96), ("word", 48)])
def test_gate_without_one_is_an_error(of_task, combination, input_size):
    overrides = {f"{EMBEDDER}.combination": combination, "model.encoder.input_size": input_size}
    of_task(**overrides)
    with pytest.raises(
        ConfigurationError,
        match="found the extra output 'gate', .* gold_entities, logits, n_best; .* gate one embedder char_gated",
    ):
        of_task(**overrides, **{"model.extra_outputs": ["gate"]})


def test_a_main_label_that_the_data_does_not_have_is_an_error(of_task):
    with pytest.raises(ConfigurationError, match="found positive_label 'wrong', expected one of the tags: c, i"):
        of_task("error_detection", **{"model.head.positive_label": "wrong"})


@pytest.mark.parametrize("task", MEASURES)
def test_archive_of_a_task_predicts_the_same(task, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    config = CHAR_ATTENTION[task]
    path = Params.from_file(config)["validation_data_path"]
    overrides = {"train_data_path": path, "trainer.num_epochs": 1, "trainer.cuda_device": -1}
    trained = train_model_from_file(config, tmp_path / "run", overrides=json.dumps(overrides))
    archive = load_archive(tmp_path / "run/model.tar.gz")
    instances = list(islice(archive.validation_dataset_reader.read(path), 3))
    for instance in instances:
        archive.validation_dataset_reader.apply_token_indexers(instance)
    assert trained.eval().forward_on_instances(instances) == archive.model.eval().forward_on_instances(instances)
