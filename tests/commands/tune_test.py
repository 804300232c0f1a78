"""`nerzoo tune` for a small configuration on six sentences."""

import fcntl
import json
import os
import shutil
import signal
import sys
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.training import GradientDescentTrainer
from helpers.commands import nerzoo

from nerzoo.configuration import sources
from nerzoo.configuration.check import read_configuration
from nerzoo.runs.tuning import _includes, read_space, tune
from nerzoo.training.callbacks.pruning import Pruning

# A file for tests that is not there: nothing reads it.
CONFIG = """{
  distribution:: 'softmax',
  hidden_size:: 3,
  learning_rate:: 0.1,
  momentum:: 0,
  dataset_reader: { type: 'tagged_sentences', corpus: 'conllu' },
  train_data_path: '%(data)s',
  validation_data_path: '%(data)s',
  test_data_path: 'missing.conllu',
  evaluate_on_test: true,
  data_loader: { batch_size: 2, shuffle: true },
  model: {
    type: 'sequence_tagger',
    text_field_embedder: { token_embedders: { tokens: { type: 'embedding', embedding_dim: $.hidden_size } } },
    encoder: { type: 'pass_through', input_dim: $.hidden_size },
    head: { distribution: $.distribution },
  },
  trainer: {
    num_epochs: 2,
    optimizer: { type: 'sgd', lr: $.learning_rate, momentum: $.momentum },
    validation_metric: '+accuracy',
    callbacks: ['reproducible'],
  },
}"""
SPACE = {
    "distribution": {"choices": ["softmax", "crf"]},
    "hidden_size": {"low": 2, "high": 4},
    "learning_rate": {"low": 0.01, "high": 1, "log": True},
}
LOSS = json.dumps({"trainer.validation_metric": "-loss"})


@pytest.fixture(scope="module", autouse=True)
def rendered_once():
    """Jsonnet, which takes longer for a configuration than the training, evaluates each text once."""
    found, evaluate = {}, sources.evaluate_snippet

    def evaluate_once(name, text, **options):
        return found.get(text) or found.setdefault(text, evaluate(name, text, **options))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sources, "evaluate_snippet", evaluate_once)
        yield


@pytest.fixture(scope="module")
def config(few_sentences, tmp_path_factory):
    path = tmp_path_factory.mktemp("config") / "config.jsonnet"
    path.write_text(CONFIG % {"data": few_sentences})
    return str(path)


@pytest.fixture(scope="module")
def space(config):
    path = Path(config).with_name("space.json")
    path.write_text(json.dumps(SPACE))
    return str(path)


@pytest.fixture(scope="module")
def tuned(config, space, tmp_path_factory):
    """The folder of three trials by the command."""
    folder = tmp_path_factory.mktemp("tuned") / "run"
    nerzoo("tune", config, "--space", space, "--trials", 3, "-s", folder, "--set", "momentum=0.5")
    return folder


@pytest.fixture
def finished(tuned, tmp_path):
    """A copy of the folder, for tests that change it."""
    return shutil.copytree(tuned, tmp_path / "run")


def report_of(folder):
    return json.loads((folder / "report.json").read_text())


def go_on(folder, config, space, trials, jobs=1):
    return tune(config, space, str(folder), trials, jobs, settings={"momentum": 0.5})


def fail_in(trial, epoch, action, patch):
    """Lets a function act in an epoch of a trial."""
    batch_outputs = GradientDescentTrainer.batch_outputs

    def failing(self, batch, for_training):
        if Path(self._serialization_dir).name == str(trial) and self._epochs_completed == epoch:
            action()
        return batch_outputs(self, batch, for_training)

    patch.setattr(GradientDescentTrainer, "batch_outputs", failing)


def raise_error(error):
    raise error


def test_the_best_trial_is_reported_and_keeps_its_archive(tuned):
    report = report_of(tuned)
    assert [(trial["number"], trial["state"], trial["epochs"]) for trial in report["trials"]] == [
        (number, "complete", 2) for number in range(3)
    ]
    assert report["trials"][0]["options"] == {"distribution": "softmax", "hidden_size": 3, "learning_rate": 0.1}
    assert len({json.dumps(trial["options"]) for trial in report["trials"]}) == 3
    for trial in report["trials"]:
        metrics = json.loads((tuned / f"trials/{trial['number']}/metrics.json").read_text())
        assert trial["value"] == metrics["best_validation_accuracy"]
    assert report["best"]["value"] == max(trial["value"] for trial in report["trials"])
    assert report["metric"] == "accuracy" and report["direction"] == "maximize"
    assert report["command"].startswith("nerzoo tune ") and sum(report["importance"].values()) == pytest.approx(1)
    weights = [path for pattern in ("*.th", "*.tar.gz") for path in tuned.rglob(pattern)]
    assert weights == [tuned / f"trials/{report['best']['number']}/model.tar.gz"]


def test_writes_the_configuration_of_the_best_trial(tuned, config):
    best = report_of(tuned)["best"]
    found = read_configuration(tuned / "best.jsonnet").as_dict(quiet=True)
    assert found == read_configuration(config, options={"momentum": 0.5, **best["options"]}).as_dict(quiet=True)
    trained = json.loads((tuned / f"trials/{best['number']}/config.json").read_text())
    pruning = {"type": "pruning", "study": "../../study.db", "trial": best["number"], "metric": "accuracy"}
    assert trained["trainer"].pop("callbacks") == ["reproducible", pruning]
    assert found["trainer"].pop("callbacks") == ["reproducible"]
    assert {**trained, "test_data_path": "missing.conllu", "evaluate_on_test": True} == found


def test_an_interrupted_trial_goes_on_to_the_same_result(tuned, config, space, tmp_path, monkeypatch):
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        fail_in(1, 1, lambda: raise_error(KeyboardInterrupt), patch)
        go_on(tmp_path / "run", config, space, 2)
    assert not (tmp_path / "run/report.json").exists()
    assert (tmp_path / "run/trials/1/training_state_e1_b0.th").exists()
    assert go_on(tmp_path / "run", config, space, 2)["trials"] == report_of(tuned)["trials"][:2]


def test_raises_an_error_in_the_code_of_a_trial(finished, config, space, monkeypatch):
    with monkeypatch.context() as patch, pytest.raises(ZeroDivisionError):
        fail_in(3, 0, lambda: 1 / 0, patch)
        go_on(finished, config, space, 4, jobs=2)
    report = go_on(finished, config, space, 4)
    assert [trial["state"] for trial in report["trials"]] == [*["complete"] * 3, "fail", "complete"]


def test_repeats_a_trial_that_was_killed_beside_another(finished, tuned, config, space, monkeypatch, capfd):
    with monkeypatch.context() as patch, pytest.raises(ConfigurationError, match="found a training that was killed"):
        fail_in(3, 1, lambda: os.kill(os.getpid(), signal.SIGKILL), patch)
        go_on(finished, config, space, 5, jobs=2)
    capfd.readouterr()
    report = go_on(finished, config, space, 5, jobs=2)
    assert report["trials"][:3] == report_of(tuned)["trials"]
    assert [trial["state"] for trial in report["trials"]] == ["complete"] * 5
    said = capfd.readouterr().out.splitlines()
    # The other trial may have ended before.
    assert said[0].startswith("trial 3: training with distribution ")
    accuracy = report["trials"][3]["value"]
    assert f"trial 3: complete after epoch 2, accuracy {100 * accuracy:.1f}" in said


def test_a_trial_whose_loss_is_not_finite_is_a_bad_one(config, tmp_path):
    space = tmp_path / "space.json"
    space.write_text(json.dumps({"momentum": {"choices": [0, 1e15]}}))
    report = tune(config, str(space), str(tmp_path / "run"), 2, overrides=LOSS)
    states = {trial["options"]["momentum"]: trial["state"] for trial in report["trials"]}
    assert states == {0: "complete", 1e15: "pruned"}
    assert report["direction"] == "minimize" and report["best"]["options"] == {"momentum": 0}


def test_no_trial_with_a_finite_loss(config, tmp_path):
    space = tmp_path / "space.json"
    space.write_text(json.dumps({"momentum": {"choices": [1e15]}}))
    with pytest.raises(ConfigurationError, match="found no trial whose loss stayed finite, expected one at least"):
        tune(config, str(space), str(tmp_path / "run"), 1)


@pytest.mark.parametrize(
    ("ranges", "message"),
    [
        ({}, "space.json: found no option, expected one at least"),
        ({"hiden_size": {"low": 2, "high": 4}}, "config.jsonnet: found no option 'hiden_size', expected 'hidden_size'"),
        (
            {"distribution": {"low": 2, "high": 4}},
            "config.jsonnet: found the option distribution = 2, expected a value",
        ),
        ({"hidden_size": {"low": 2.5, "high": 4}}, "space.json: hidden_size 2.5: found .*= 2.5, expected an integer"),
        ({"learning_rate": {"low": -1, "high": 4}}, "space.json: learning_rate -1: found trainer.optimizer.lr = -1"),
        ({"momentum": {"low": 0, "high": 1}}, "space.json: found the option 'momentum', which --set has, too"),
        ({"hidden_size": {"low": 4, "high": 2}}, r"hidden_size = {.*} \(.*low <= high.*\), expected low and high"),
        ({"hidden_size": {"low": 2, "high": 5, "step": 2}}, "hidden_size = .* expected low and high"),
        ({"hidden_size": {"lowest": 2}}, "hidden_size = .*'lowest'.* expected low and high"),
        ({"hidden_size": [2, 4]}, r"space.json: found the option hidden_size = \[2, 4\] .* expected low and high"),
        ({"hidden_size": {"choices": [[2], [4]]}}, "hidden_size = .* expected low and high"),
    ],
)
def test_a_space_that_cannot_be_searched(config, tmp_path, ranges, message):
    (tmp_path / "space.json").write_text(json.dumps(ranges))
    with pytest.raises(ConfigurationError, match=message):
        tune(config, str(tmp_path / "space.json"), str(tmp_path / "run"), 1, settings={"momentum": 0.5})
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("arguments", "inside", "outside"),
    [
        ({"low": 0.2, "high": 0.8, "step": 0.1}, [0.2, 0.5, 0.8], [0.25, 0.9, "0.5", None]),
        ({"low": 2, "high": 8, "step": 2}, [2, 4, 8.0], [3, 4.5, 10, True]),
        ({"low": 0.001, "high": 1.0, "log": True}, [0.0123, 1], [0, "1"]),
        ({"choices": [True, "crf"]}, ["crf"], ["softmax"]),
    ],
)
def test_values_in_a_space(tmp_path, arguments, inside, outside):
    path = tmp_path / "space.json"
    path.write_text(json.dumps({"option": arguments}))
    distribution = read_space(str(path))["option"]
    assert [_includes(distribution, value) for value in inside] == [True] * len(inside)
    assert [_includes(distribution, value) for value in outside] == [False] * len(outside)


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"validation_data_path": None}, "found no validation_data_path or distributed training, expected a"),
        ({"distributed": {"cuda_devices": [-1, -1]}}, "found no validation_data_path or distributed training"),
        ({"trainer.validation_metric": ["+f1", "-loss"]}, r'found the validation_metric \["\+f1", "-loss"\], expected'),
    ],
)
def test_a_configuration_that_cannot_be_tuned(config, space, tmp_path, overrides, message):
    with pytest.raises(ConfigurationError, match=message):
        tune(config, space, str(tmp_path / "run"), 1, overrides=json.dumps(overrides))


def test_another_tuning_in_the_folder(tuned, config, space, tmp_path):
    with pytest.raises(ConfigurationError, match="found another tuning in .*validation_metric is"):
        tune(config, space, str(tuned), 3, overrides=LOSS, settings={"momentum": 0.5})
    other = tmp_path / "space.json"
    other.write_text(json.dumps({**SPACE, "learning_rate": {"low": 0.02, "high": 1}}))
    with pytest.raises(ConfigurationError, match="found another tuning in .*; expected the same or a new folder"):
        go_on(tuned, config, str(other), 3)


def test_other_data_in_the_same_files(few_sentences, space, tmp_path, monkeypatch):
    data, config = tmp_path / "data.conllu", tmp_path / "config.jsonnet"
    text = Path(few_sentences).read_text()
    data.write_text(text)
    config.write_text(CONFIG % {"data": data})
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        fail_in(0, 0, lambda: raise_error(KeyboardInterrupt), patch)
        go_on(tmp_path / "run", str(config), space, 1)
    data.write_text(text + "\n" + text)
    with pytest.raises(ConfigurationError, match="found another tuning in .*: .*data.conllu is another file; expected"):
        go_on(tmp_path / "run", str(config), space, 1)


def test_another_process_at_work(tuned, config, space):
    with (tuned / "lock").open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(ConfigurationError, match="found another process that works on it, expected none"):
            go_on(tuned, config, space, 3)


def test_nothing_is_trained_without_optuna(config, space, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(ConfigurationError, match=r"found no optuna, expected it, .*: pip install nerzoo\[tune\]"):
        go_on(tmp_path / "run", config, space, 3)
    with pytest.raises(ConfigurationError, match=r"found no optuna, expected it, .*: pip install nerzoo\[tune\]"):
        Pruning(str(tmp_path), "study.db", 0, "f1")
    assert not (tmp_path / "run").exists()
