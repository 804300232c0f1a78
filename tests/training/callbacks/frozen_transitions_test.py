import pytest
import torch
from allennlp.commands.train import TrainModel
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.training import TrainerCallback
from helpers.interrupted_training import assert_resumes_to_the_same_numbers, numbers
from helpers.paths import FIXTURES
from helpers.processes import run_in_new_processes
from helpers.short_training import ShortTraining

from nerzoo.allennlp_private import metric_tracker

FROZEN = {"type": "frozen_transitions", "epochs": 2}
# Four batches an epoch, of the same threads.
TRAIN = ShortTraining(
    "thread_structure",
    {
        "train_data_path": "fixtures/threads/dev.jsonl",
        "data_loader": {"batch_size": 2, "shuffle": True},
        "trainer.num_epochs": 4,
        "trainer.callbacks": ["reproducible", FROZEN],
    },
)
OPTIMIZERS = {
    "adam": {"type": "adam", "lr": 0.01},
    "weight_decay": {"type": "adamw", "lr": 0.01, "weight_decay": 0.1},
    "momentum": {"type": "sgd", "lr": 0.1, "momentum": 0.9, "weight_decay": 0.1},
}


class Recorder(TrainerCallback):
    """Keeps the transitions, their gradients' sum and what the optimiser knows of them after each batch."""

    def __init__(self):
        super().__init__(None)
        self.batches = []

    def on_batch(self, trainer, batch_inputs, batch_outputs, batch_metrics, epoch, batch_number, is_training, **kwargs):
        if is_training:
            parameters = list(trainer.model.distribution.parameters())
            state = [trainer.optimizer.state.get(parameter) for parameter in parameters]
            self.batches.append((epoch, [parameter.detach().clone() for parameter in parameters], state))


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_transitions_are_zero_and_new_to_the_optimiser_until_they_thaw(tmp_path, optimizer):
    training = TRAIN.build(tmp_path, **{"trainer.optimizer": OPTIMIZERS[optimizer]})
    assert all(parameter.any() for parameter in training.model.distribution.parameters())
    recorder = Recorder()
    training.trainer._callbacks.append(recorder)
    training.trainer.train()
    assert [epoch for epoch, _, _ in recorder.batches] == [0] * 3 + [1] * 3 + [2] * 3 + [3] * 3
    for epoch, parameters, state in recorder.batches:
        for parameter, known in zip(parameters, state, strict=True):
            assert bool(parameter.any()) == bool(known) == (epoch >= 2)


def test_the_first_epochs_are_those_of_a_softmax_and_the_gradient_norm_is_its(tmp_path):
    norms = {}

    class Norms(TrainerCallback):
        def on_batch(
            self, trainer, inputs, outputs, metrics, epoch, *args, is_training, batch_grad_norm=None, **kwargs
        ):
            if is_training:
                norms.setdefault(trainer.model.distribution, []).append((epoch, float(batch_grad_norm)))

    weights = None
    for name, override in {
        "crf": {},
        "softmax": {"model.distribution": "softmax", "trainer.callbacks": ["reproducible"]},
    }.items():
        training = TRAIN.build(tmp_path / name, **override, **{"trainer.grad_norm": 1.0})
        others = {
            key: value for key, value in training.model.state_dict().items() if not key.startswith("distribution.")
        }
        weights = weights or {key: value.clone() for key, value in others.items()}
        training.model.load_state_dict(weights, strict=False)
        training.trainer._callbacks.append(Norms(None))
        training.trainer.train()
    crf, softmax = norms.values()
    assert [norm for epoch, norm in crf if epoch < 2] == pytest.approx(
        [norm for epoch, norm in softmax if epoch < 2], rel=1e-3
    )
    assert crf[-1] != pytest.approx(softmax[-1], rel=1e-3)


def test_no_epochs_change_nothing(tmp_path):
    without = TRAIN.build(tmp_path / "without", **{"trainer.callbacks": ["reproducible"]}).trainer.train()
    none = TRAIN.build(
        tmp_path / "none", **{"trainer.callbacks": ["reproducible", {**FROZEN, "epochs": 0}]}
    ).trainer.train()
    assert numbers(without) == numbers(none)


@pytest.mark.parametrize("num_epochs, best", [(4, 3), (2, 1)])
def test_an_epoch_with_frozen_transitions_is_no_best_one_but_the_last(tmp_path, monkeypatch, num_epochs, best):
    """The metric falls from epoch to epoch, but for the last; without the callback the first would be the best."""
    values = {0: 0.9, 1: 0.8, 2: 0.3, 3: 0.4}
    training = TRAIN.build(
        tmp_path, **{"trainer.num_epochs": num_epochs, "trainer.validation_metric": "+score", "trainer.patience": 1}
    )
    kept = {}

    class Keep(TrainerCallback):
        def on_epoch(self, trainer, metrics, epoch, **kwargs):
            kept[epoch] = {name: value.clone() for name, value in trainer.model.state_dict().items()}

    training.trainer._callbacks.append(Keep(None))
    monkeypatch.setattr(
        type(training.model),
        "get_metrics",
        lambda self, reset=False: {"score": values[training.trainer._epochs_completed]},
    )
    metrics = training.trainer.train()
    assert metrics["best_epoch"] == best and metrics["best_validation_score"] == values[best]
    # From where a resumed run takes it.
    assert metric_tracker(training.trainer).state_dict()["epoch_number"] == num_epochs
    weights = torch.load(tmp_path / "best.th")
    assert all(torch.equal(value, weights[name]) for name, value in kept[best].items())


@pytest.mark.parametrize("epochs, is_frozen", [(2, True), (1, False)])
def test_finds_the_transitions_of_other_taggers(tmp_path, epochs, is_frozen):
    """AllenNLP's CRF names them so, too."""
    size = {"input_size": 3, "hidden_size": 2}
    config = {
        "dataset_reader": {"type": "tagged_sentences", "corpus": "conllu", "max_instances": 4},
        "train_data_path": str(FIXTURES / "people_and_places/dev.conllu"),
        "data_loader": {"batch_size": 2},
        "model": {
            "type": "allennlp_models.tagging.models.crf_tagger.CrfTagger",
            "text_field_embedder": {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 3}}},
            "encoder": {"type": "lstm", **size},
        },
        "trainer": {
            "num_epochs": 2,
            "optimizer": "adam",
            "cuda_device": -1,
            "callbacks": [{"type": "frozen_transitions", "epochs": epochs}],
        },
    }
    training = TrainModel.from_params(Params(config), serialization_dir=str(tmp_path), local_rank=0)
    training.trainer.train()
    crf = training.model.crf
    for parameter in (crf.transitions, crf.start_transitions, crf.end_transitions):
        assert bool(parameter.any()) != is_frozen


@pytest.mark.parametrize("killed_in", [1, 2, 3])
def test_an_interrupted_run_resumes_to_the_same_numbers(tmp_path, monkeypatch, killed_in):
    assert_resumes_to_the_same_numbers(TRAIN, tmp_path, monkeypatch, killed_in)


@pytest.mark.parametrize(("epochs", "is_frozen"), [(2, True), (1, False)])
def test_two_processes_train_together(tmp_path, monkeypatch, epochs, is_frozen):
    monkeypatch.setattr("torch.multiprocessing.spawn", run_in_new_processes)
    callbacks = ["reproducible", {**FROZEN, "epochs": epochs}]
    TRAIN(
        tmp_path,
        **{"trainer.num_epochs": 2, "trainer.callbacks": callbacks, "distributed": {"cuda_devices": [-1, -1]}},
    )
    weights = torch.load(tmp_path / "model_state_e2_b0.th")
    transitions = [value for name, value in weights.items() if name.startswith("distribution.")]
    assert len(transitions) == 3
    assert all(bool(value.any()) != is_frozen for value in transitions)


def test_what_is_wrong_with_a_configuration(tmp_path):
    with pytest.raises(ConfigurationError, match="found a model without transitions, expected one with .* type crf"):
        TRAIN.build(tmp_path / "softmax", **{"model.distribution": "softmax"}).trainer.train()
    with pytest.raises(ConfigurationError, match="found the number of epochs -1, expected at least 0"):
        TRAIN.build(tmp_path / "negative", **{"trainer.callbacks": [{**FROZEN, "epochs": -1}]})
