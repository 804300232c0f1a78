import json
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.training.util import create_serialization_dir
from helpers.commands import nerzoo
from helpers.paths import FIXTURES

FILE = FIXTURES / "people_and_places/dev.txt"


def train(output, *args):
    sizes = ["--set", "hidden_size=3", "--set", "character_filters=3", "--set", "epochs=1"]
    nerzoo("train", "ner", "--train", FILE, "--dev", FILE, *sizes, "--seeds", *args, "-s", output)


def test_models_that_differ_in_their_seed(tmp_path, capsys):
    train(tmp_path / "out", 1)
    assert "mean" not in capsys.readouterr().out
    train(tmp_path / "out", 2)
    said = capsys.readouterr().out
    assert "seed 1 (1 of 2): training" not in said and "seed 2 (2 of 2): training" in said
    losses, f1 = [], []
    for seed in (1, 2):
        folder = tmp_path / f"out/seed-{seed}"
        assert json.loads((folder / "config.json").read_text())["pytorch_seed"] == seed
        metrics = json.loads((folder / "metrics.json").read_text())
        losses.append(metrics["training_loss"])
        f1.append(metrics["best_validation_f1"])
    assert losses[0] != losses[1] and f"mean {50 * sum(f1):.1f}, standard deviation" in said
    with pytest.raises(ConfigurationError, match="found another model in .*out: model.encoder.hidden_size is 4"):
        train(tmp_path / "out", 2, "--set", "hidden_size=4")


@pytest.fixture
def trained(monkeypatch):
    """The configurations of trainings, which write their configuration, metrics and archive alone."""
    configs = []

    def train_model(params, folder, recover, force, **options):
        configs.append(params.as_dict(quiet=True))
        create_serialization_dir(params, folder, recover, force)
        params.to_file(f"{folder}/config.json")
        Path(folder, "metrics.json").write_text('{"best_validation_f1": 0.5}')
        Path(folder, "model.tar.gz").touch()

    monkeypatch.setattr("allennlp.commands.train.train_model", train_model)
    return configs


def test_a_treebank_that_is_the_training_data(trained, tmp_path):
    for seeds in (1, 1, 2):
        nerzoo("train", "deptree_ner", "--seeds", seeds, "-s", tmp_path / "out")
    assert [config["numpy_seed"] for config in trained] == [1, 2]
    assert all(config["dataset_reader"]["parser"]["treebank"] == config["train_data_path"] for config in trained)


def test_other_data_in_the_same_files(trained, tmp_path):
    data = tmp_path / "data.txt"
    data.write_text(FILE.read_text())
    arguments = ["train", "ner", "--train", data, "--seeds", 1, "-s", tmp_path / "out"]
    nerzoo(*arguments)
    data.write_text(FILE.read_text().replace("-person", "-human"))
    with pytest.raises(ConfigurationError, match="found another model in .*out: .*data.txt is another file; expected"):
        nerzoo(*arguments)


def test_a_model_without_an_archive_is_not_trained(trained, tmp_path):
    arguments = ["train", "ner", "--train", FILE, "--seeds", 1, "-s", tmp_path / "out"]
    nerzoo(*arguments)
    # Of a run that was killed while it packed.
    (tmp_path / "out/seed-1/model.tar.gz").unlink()
    nerzoo(*arguments)
    assert len(trained) == 2 and (tmp_path / "out/seed-1/model.tar.gz").exists()


@pytest.mark.parametrize("option", ["--recover", "--force", "--dry-run"])
def test_options_that_are_not_for_several_models(trained, tmp_path, option):
    with pytest.raises(ConfigurationError, match=f"found --seeds and {option}, expected one of them"):
        nerzoo("train", "ner", "--seeds", 2, option, "-s", tmp_path / "out")
    assert not trained and not (tmp_path / "out").exists()


def test_something_else_in_the_folder_is_kept(trained, tmp_path):
    notes = tmp_path / "out/seed-1/notes.txt"
    notes.parent.mkdir(parents=True)
    notes.touch()
    arguments = ["train", "ner", "--train", FILE, "--seeds"]
    with pytest.raises(ConfigurationError, match="out not empty and without settings.json, expected a new folder"):
        nerzoo(*arguments, 1, "-s", tmp_path / "out")
    nerzoo(*arguments, 1, "-s", tmp_path / "other")
    notes.parent.rename(tmp_path / "other/seed-2")
    with pytest.raises(ConfigurationError, match="seed-2.* already exists and is not empty"):
        nerzoo(*arguments, 2, "-s", tmp_path / "other")
    assert (tmp_path / "other/seed-2/notes.txt").exists()


def test_a_configuration_without_one_score(tmp_path):
    with pytest.raises(
        ConfigurationError, match=r'--seeds: found the validation_metric \["\+f1", "-loss"\], expected a single'
    ):
        train(tmp_path / "out", 2, "-o", '{"trainer.validation_metric": ["+f1", "-loss"]}')
    with pytest.raises(ConfigurationError, match="--seeds: found no validation_data_path, expected one"):
        nerzoo("train", "ner", "--seeds", 2, "-o", '{"validation_data_path": null}', "-s", tmp_path / "out")
