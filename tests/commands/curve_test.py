"""`nerzoo curve` for two small configurations on the fixture."""

import json
import os
import shutil
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from allennlp.commands.train import train_model_from_file
from allennlp.common.checks import ConfigurationError
from allennlp.training import GradientDescentTrainer
from helpers.commands import allennlp

from nerzoo.commands.curve import _number
from nerzoo.runs import runner
from nerzoo.runs.curve import curve

CONFIG = """{
  dataset_reader: { type: 'tagged_sentences', corpus: 'conllu' },
  train_data_path: '%(data)s',
  validation_data_path: '%(data)s',
  data_loader: { batch_size: 2, shuffle: true },
  model: {
    type: 'sequence_tagger',
    text_field_embedder: { token_embedders: { tokens: { type: 'embedding', embedding_dim: %(size)d } } },
    encoder: { type: 'bilstm', input_size: %(size)d, hidden_size: 3 },
    head: { distribution: 'softmax' },
  },
  trainer: { num_epochs: 2, optimizer: { type: 'adam', lr: 1 }, callbacks: ['reproducible'] },
}"""
PARAMETER, METRIC = "trainer.optimizer.lr", "best_validation_loss"
# Not in the order of size.
VALUES = [0.1, 0.01]


@pytest.fixture(scope="module")
def configs(few_sentences, tmp_path_factory):
    folder = tmp_path_factory.mktemp("configs")
    for name, size in {"narrow": 4, "wide": 6}.items():
        (folder / f"{name}.jsonnet").write_text(CONFIG % {"data": few_sentences, "size": size})
    return [folder / f"{name}.jsonnet" for name in ("narrow", "wide")]


def draw(folder, configs, values=VALUES, parameter=PARAMETER, metric=METRIC, **overrides):
    return curve(list(map(str, configs)), str(folder), parameter, values, metric, json.dumps(overrides))


@pytest.fixture(scope="module")
def drawn(configs, tmp_path_factory):
    """Curves drawn by the command."""
    folder = tmp_path_factory.mktemp("drawn")
    options = ["-s", folder, "--parameter", PARAMETER, "--metric", METRIC, "--values", *VALUES]
    allennlp("curve", *configs, *options, "--file-friendly-logging")
    return folder


@pytest.fixture
def summary(drawn):
    return json.loads((drawn / "curve.json").read_text())


@pytest.fixture
def finished(drawn, tmp_path):
    """A copy of the folder, for tests that change it."""
    return shutil.copytree(drawn, tmp_path / "run")


def test_the_summary_has_the_metric_of_each_model(drawn, summary):
    curves = {
        name: [json.loads((drawn / name / str(value) / "metrics.json").read_text())[METRIC] for value in VALUES]
        for name in ("narrow", "wide")
    }
    assert summary == {"parameter": PARAMETER, "metric": METRIC, "values": [0.1, 0.01], "curves": curves}
    assert len({metric for curve in curves.values() for metric in curve}) == 4


def test_each_model_is_that_of_the_configuration_with_the_value(drawn, configs, tmp_path):
    config = json.loads((drawn / "wide/0.01/config.json").read_text())
    assert (config["trainer"]["optimizer"]["lr"], config["model"]["encoder"]["input_size"]) == (0.01, 6)
    train_model_from_file(configs[1], tmp_path / "run", json.dumps({PARAMETER: 0.01}))
    metrics = [json.loads((folder / "metrics.json").read_text()) for folder in (drawn / "wide/0.01", tmp_path / "run")]
    assert metrics[0][METRIC] == metrics[1][METRIC]


def test_a_curve_for_each_configuration_is_drawn_from_left_to_right(finished, configs, summary, monkeypatch):
    from matplotlib.figure import Figure

    figures, save = [], Figure.savefig

    def savefig(self, path, format):
        figures.append(self)
        save(self, path, format=format)

    monkeypatch.setattr(Figure, "savefig", savefig)
    for ending in ("png", "svg"):
        (finished / f"curve.{ending}").unlink()
    draw(finished, configs)
    assert (finished / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert ElementTree.parse(finished / "curve.svg").getroot().tag.endswith("svg")
    (axes,) = figures[0].axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == (PARAMETER, METRIC)
    lines = {line.get_label(): (list(line.get_xdata()), list(line.get_ydata())) for line in axes.lines}
    assert lines == {name: ([0.01, 0.1], metrics[::-1]) for name, metrics in summary["curves"].items()}


def test_another_value_is_trained_and_no_other_model(finished, configs, summary, capsys, monkeypatch):
    trained, train_model = [], runner.train_model

    def train(params, folder, *args, **kwargs):
        trained.append(folder)
        train_model(params, folder, *args, **kwargs)

    monkeypatch.setattr(runner, "train_model", train)
    found = draw(finished, configs[:1], [*VALUES, 1])
    assert trained == [str(finished / "narrow/1.unfinished")]
    assert found["values"] == [0.1, 0.01, 1] and found["curves"]["narrow"][:2] == summary["curves"]["narrow"]
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("narrow")]
    assert lines[0] == f"narrow, {PARAMETER} 0.1 (1 of 3): {METRIC} {found['curves']['narrow'][0]:.4f}"
    assert lines[2:4] == [
        f"narrow, {PARAMETER} 1 (3 of 3): training",
        f"narrow, {PARAMETER} 1 (3 of 3): {METRIC} {found['curves']['narrow'][2]:.4f}",
    ]


def test_another_metric_of_the_same_models(finished, configs, monkeypatch):
    monkeypatch.setattr(runner, "train_model", None)
    found = draw(finished, configs, metric="best_validation_accuracy")
    assert all(0 <= value <= 1 for curve in found["curves"].values() for value in curve)


@pytest.mark.parametrize(
    ("epoch", "kept"), [(0, False), (1, True)], ids=["before the first checkpoint", "after the first checkpoint"]
)
def test_an_interrupted_run_goes_on_to_the_same_curve(finished, configs, summary, monkeypatch, epoch, kept):
    unbroken_outputs = GradientDescentTrainer.batch_outputs

    def batch_outputs(self, batch, for_training):
        if "/0.01" in self._serialization_dir and self._epochs_completed == epoch:
            raise KeyboardInterrupt
        return unbroken_outputs(self, batch, for_training)

    shutil.rmtree(finished / "narrow/0.01")
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(GradientDescentTrainer, "batch_outputs", batch_outputs)
        draw(finished, configs[:1])
    assert (finished / "narrow/0.1").exists() and not (finished / "narrow/0.01").exists()
    assert (finished / "narrow/0.01.unfinished/training_state_e1_b0.th").exists() == kept
    assert draw(finished, configs[:1])["curves"]["narrow"] == pytest.approx(summary["curves"]["narrow"], rel=1e-12)


def test_a_run_interrupted_after_its_last_epoch_is_finished(finished, configs, summary):
    (finished / "narrow/0.01").rename(finished / "narrow/0.01.unfinished")
    assert draw(finished, configs[:1])["curves"]["narrow"] == pytest.approx(summary["curves"]["narrow"], rel=1e-12)
    assert (finished / "narrow/0.01").exists() and not (finished / "narrow/0.01.unfinished").exists()


def test_another_configuration_in_the_same_folder(drawn, configs):
    with pytest.raises(ConfigurationError, match="narrow: trainer.num_epochs is 3 and was 2; expected the same"):
        draw(drawn, configs, **{"trainer.num_epochs": 3})


@pytest.fixture
def untrained(monkeypatch):
    """The configurations of trainings, which write their configuration and metrics alone."""
    configs = []

    def train_model(params, folder, *args, **options):
        configs.append(params.as_dict(quiet=True))
        os.makedirs(folder)
        params.to_file(f"{folder}/config.json")
        Path(folder, "metrics.json").write_text(json.dumps({METRIC: 1.0}))

    monkeypatch.setattr("allennlp.commands.train.train_model", train_model)
    return configs


def test_other_data_in_the_same_files(few_sentences, untrained, tmp_path):
    data, config = tmp_path / "data.conllu", tmp_path / "config.jsonnet"
    data.write_text(Path(few_sentences).read_text())
    config.write_text(CONFIG % {"data": data, "size": 4})
    draw(tmp_path / "run", [config])
    data.write_text(data.read_text() * 2)
    with pytest.raises(ConfigurationError, match="found another curve in .*config: .*data.conllu is another file; exp"):
        draw(tmp_path / "run", [config])


def test_a_treebank_that_is_the_training_data(few_sentences, configs, untrained, tmp_path):
    for _ in range(2):
        draw(tmp_path / "run", configs[:1], **{"dataset_reader.parser": {"treebank": "train_data_path"}})
    treebanks = [config["dataset_reader"]["parser"]["treebank"] for config in untrained]
    assert treebanks == [str(few_sentences)] * len(VALUES)


def test_a_metric_that_is_not_there(drawn, configs):
    with pytest.raises(ConfigurationError, match="found no number perplexity, expected one of .*best_validation_loss"):
        draw(drawn, configs, metric="perplexity")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"values": [0.5, 1, 1.0]}, "found the values 0.5, 1, 1.0, expected different ones"),
        ({"parameter": "model.alpha"}, "narrow.jsonnet: found no parameter model.alpha, expected one that"),
    ],
)
def test_nothing_is_trained_where_it_cannot_work(configs, tmp_path, changes, message):
    with pytest.raises(ConfigurationError, match=message):
        draw(tmp_path / "run", configs, **changes)
    assert not (tmp_path / "run").exists()


def test_nothing_is_trained_without_matplotlib(configs, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ConfigurationError, match=r"found no matplotlib, expected it, .*: pip install nerzoo\[plots\]"):
        draw(tmp_path / "run", configs)
    assert not (tmp_path / "run").exists()


def test_two_configurations_of_one_name(configs, tmp_path):
    with pytest.raises(
        ConfigurationError, match="found the names of configurations narrow, narrow, expected different"
    ):
        draw(tmp_path / "run", [configs[0], configs[0]])


def test_values_are_numbers_as_a_configuration_has_them():
    assert [repr(_number(text)) for text in ("400", "-1", "0.70", "1e-3")] == ["400", "-1", "0.7", "0.001"]
    with pytest.raises(ValueError):
        _number("half")
