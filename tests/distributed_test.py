"""AllenNLP's `distributed`: processes that train one model together, here two of them, over gloo."""

import json
import math

import pytest
import torch
from allennlp.data import DatasetReader
from helpers.archives import inputs
from helpers.commands import allennlp, nerzoo
from helpers.configurations import load
from helpers.paths import ROOT
from helpers.processes import run_in_new_processes
from torch.testing import assert_close

from nerzoo.inference.tagger import Tagger

BY_OVERRIDES = {"distributed": {"cuda_devices": [-1, -1]}}


@pytest.fixture(autouse=True)
def small_processes(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setenv("WORD_VECTORS", "")
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("torch.multiprocessing.spawn", run_in_new_processes)


@pytest.mark.parametrize(
    "job, command, options, overrides",
    [("ner", nerzoo, ["--jobs", "2"], {}), ("memory_ner", allennlp, [], BY_OVERRIDES)],
    ids=["ner", "memory_ner"],
)
def test_two_processes_train_on_each_instance_once_an_epoch(job, command, options, overrides, tmp_path):
    params = load(job)
    overrides = {
        **overrides,
        "trainer.num_epochs": 2,
        "trainer.callbacks": ["seen_sentences", *params["trainer"]["callbacks"]],
    }
    folder, include = tmp_path / "run", ["--include-package", "helpers.seen_sentences"]
    command("train", f"training_config/{job}.jsonnet", "-s", folder, *options, *include, overrides=overrides)

    reader = DatasetReader.from_params(params["dataset_reader"])
    expected = sorted(str(instance["metadata"].metadata) for instance in reader.read(params["train_data_path"]))
    processes = [[json.loads(line) for line in (folder / f"seen-{rank}.jsonl").open()] for rank in range(2)]
    assert all(len(epochs) == 2 for epochs in processes)
    for parts in zip(*processes, strict=True):
        assert sorted(sum(parts, [])) == expected and abs(len(parts[0]) - len(parts[1])) <= 1

    metrics = json.loads((folder / "metrics.json").read_text())
    assert math.isfinite(metrics["training_loss"]) and 0 <= metrics["best_validation_f1"] <= 1
    item = inputs(job)[0]
    assert Tagger.load(folder / "model.tar.gz", device="cpu")(item).keys() >= {"words" if job == "ner" else "sentences"}


def test_two_processes_take_the_same_step_as_one(tmp_path):
    # One step, on all sentences.
    overrides = {
        "data_loader.batch_sampler.batch_size": 1000,
        "model.input_dropout.p": 0.0,
        "model.dropout": 0.0,
        "trainer.num_epochs": 1,
    }
    for jobs in ("1", "2"):
        nerzoo("train", "training_config/ner.jsonnet", "-s", tmp_path / jobs, "--jobs", jobs, overrides=overrides)
    alone, together = (torch.load(tmp_path / jobs / "best.th") for jobs in ("1", "2"))
    assert_close(together, alone)
