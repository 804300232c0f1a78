import json
from itertools import islice

import pytest
import torch
from allennlp.commands.train import train_model_from_file
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Vocabulary
from allennlp.models import Model, load_archive
from allennlp.nn.util import move_to_device
from allennlp.predictors import Predictor
from helpers.paths import ROOT
from helpers.tensors_of import tensors_of
from torch.testing import assert_close

DATA = {"slots": "fixtures/slot_filling/dev", "pos": "fixtures/people_and_places/dev.conllu"}
CONFIGS = {"slots": "training_config/seq2biseq/small/slots.jsonnet", "pos": "training_config/seq2biseq.jsonnet"}
EMBEDDERS = "model.text_field_embedder.token_embedders"
WITHOUT_DROPOUT = {
    "model.dropout": 0.0,
    "model.head.dropout": 0.0,
    f"{EMBEDDERS}.token_characters.encoder.dropout": 0.0,
}
ENTITY = {"start", "end", "label", "text", "start_char", "end_char", "probability"}


@pytest.fixture
def of_task(monkeypatch):
    """Builds the model of a configuration and has eleven instances of its development part."""
    monkeypatch.chdir(ROOT)

    def build(task="slots", **overrides):
        params = Params.from_file(CONFIGS[task], json.dumps(overrides))
        reader = DatasetReader.from_params(params["validation_dataset_reader"])
        instances = list(islice(reader.read(DATA[task]), 11))
        for instance in instances:
            reader.apply_token_indexers(instance)
        vocab = Vocabulary.from_instances(instances)
        torch.manual_seed(13)
        model = Model.from_params(params["model"], vocab=vocab)
        return model, instances, tensors_of(instances, vocab)

    return build


@pytest.mark.parametrize(
    ("task", "overrides", "scores"),
    [
        ("slots", {}, {"f1": 1.0, "accuracy": 1.0, "backward_accuracy": 1.0, "cer": 0.0}),
        (
            "slots",
            {"model.head.forward_only": True, "model.head.beam_size": 3},
            {"f1": 1.0, "accuracy": 1.0, "cer": 0.0},
        ),
        ("pos", {"model.head.lexical_information": False}, {"accuracy": 1.0, "backward_accuracy": 1.0}),
    ],
)
def test_overfits(of_task, task, overrides, scores):
    model, instances, batch = of_task(task, **WITHOUT_DROPOUT, **overrides)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(60):
        optimizer.zero_grad()
        model(**batch)["loss"].backward()
        optimizer.step()
    assert model.get_metrics() == {}
    predictions = model.eval().forward_on_instances(instances)
    assert model.get_metrics().items() >= scores.items()
    for prediction in predictions:
        assert prediction["tags"] == prediction["gold_tags"]
        assert ("entities" in prediction) == (task == "slots")
        for entity in prediction.get("entities", ()):
            assert entity.keys() == ENTITY
            assert 0 < entity["probability"] <= 1


def test_extra_outputs(of_task):
    model, instances, _ = of_task(**{"model.extra_outputs": ["probabilities", "backward_tags"]})
    for prediction in model.eval().forward_on_instances(instances):
        assert len(prediction["backward_tags"]) == len(prediction["words"])
        for tag, probabilities in zip(prediction["tags"], prediction["probabilities"], strict=True):
            assert max(probabilities, key=probabilities.get) == tag
            assert sum(probabilities.values()) == pytest.approx(1)
    of_default = of_task()[0].eval().forward_on_instance(instances[0])
    assert of_default.keys() == {"words", "tags", "gold_tags", "entities"}


def test_predicts_the_same_alone_and_in_a_batch(of_task):
    model, instances, _ = of_task(**{"model.extra_outputs": ["probabilities"]})
    model = model.double().eval()
    for instance, together in zip(instances, model.forward_on_instances(instances), strict=True):
        alone = model.forward_on_instance(instance)
        assert alone["tags"] == together["tags"]
        for word, expected in zip(alone["probabilities"], together["probabilities"], strict=True):
            assert word == pytest.approx(expected)


def test_sentences_without_gold_tags(of_task):
    model, instances, batch = of_task()
    with_gold = model.eval()(**batch)
    del batch["tags"]
    outputs = model(**batch)
    assert "loss" not in outputs
    assert_close(outputs["tags"], with_gold["tags"])


def test_gradients_reach_everything(of_task):
    model, _, batch = of_task()
    model(**batch)["loss"].backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None and parameter.grad.any(), name


def test_dropout_is_on_embedded_and_on_encoded_words(of_task):
    model, _, batch = of_task(**{**WITHOUT_DROPOUT, "model.dropout": 0.5})
    dropped = []

    def note(module, inputs, output):
        dropped.append((output == 0).float().mean().item())

    model.encoder.register_forward_pre_hook(lambda encoder, inputs: note(encoder, inputs, inputs[0]))
    model.dropout.register_forward_hook(note)
    model(**batch)
    # What the encoder reads, what is dropped of it, and of what it gives.
    assert len(dropped) == 3 and all(0.4 < share < 0.8 for share in dropped)


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (
            {"model.extra_outputs": ["logits"]},
            "expected one of sequence_entropy, .*, marginals, gold_entities, probabilities, backward_tags;",
        ),
        (
            {"model.extra_outputs": ["backward_tags"], "model.head.forward_only": True},
            "'backward_tags', expected one of sequence_entropy, .*, marginals, gold_entities, probabilities;",
        ),
        ({"model.encoder.input_size": 7}, "size of the embedded words .*encoder.* 56 and 7"),
        ({"model.head.beam_size": 99}, "beam_size must be between 1 and the"),
    ],
)
def test_what_is_wrong_with_a_model(of_task, overrides, message):
    with pytest.raises(ConfigurationError, match=message):
        of_task(**overrides)


def test_an_alphabet_of_one_label_is_an_error(monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    (tmp_path / "train").mkdir()
    (tmp_path / "train/seq.in").write_text("a room in varda\nfor two nights please now then and here again\n")
    (tmp_path / "train/seq.out").write_text("O O O O\nO O O O O O O O O\n")
    paths = {"train_data_path": str(tmp_path / "train"), "validation_data_path": str(tmp_path / "train")}
    with pytest.raises(ConfigurationError, match="found no entity among the labels .O., expected one at least"):
        train_model_from_file(CONFIGS["slots"], tmp_path / "run", overrides=json.dumps(paths))


@pytest.mark.parametrize("task", DATA)
def test_archive_predicts_the_same_from_instances_and_from_words(task, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    overrides = {"train_data_path": DATA[task], "trainer.num_epochs": 1, "trainer.cuda_device": -1}
    config = CONFIGS[task]
    trained = train_model_from_file(config, tmp_path / "run", overrides=json.dumps(overrides)).eval()
    archive = load_archive(tmp_path / "run/model.tar.gz")
    reader = archive.validation_dataset_reader
    instances = list(islice(reader.read(DATA[task]), 3))
    for instance in instances:
        reader.apply_token_indexers(instance)
    expected = trained.forward_on_instances(instances)
    assert archive.model.eval().forward_on_instances(instances) == expected
    predictor = Predictor.from_archive(archive)
    for prediction in expected:
        assert predictor.predict_json({"words": prediction["words"]})["tags"] == prediction["tags"]


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@pytest.mark.parametrize("task", DATA)
def test_gpu_agrees_with_cpu(of_task, task):
    (model, instances, batch), (on_gpu, _, _) = of_task(task), of_task(task)
    expected = model.double().eval().forward_on_instances(instances)
    for prediction, found in zip(expected, on_gpu.double().cuda().eval().forward_on_instances(instances), strict=True):
        assert found["tags"] == prediction["tags"]
    losses = [some(**move_to_device(batch, some._get_prediction_device()))["loss"].item() for some in (model, on_gpu)]
    assert losses[1] == pytest.approx(losses[0])
