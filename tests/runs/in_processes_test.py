"""`nerzoo train --jobs`."""

import os

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from nerzoo.runs.train_options import in_processes


@pytest.mark.parametrize("loader", [{"batch_size": 10}, {"batch_sampler": {"type": "bucket", "batch_size": 10}}])
def test_processes_divide_a_batch_and_the_cores(loader, monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS")
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    config = in_processes(Params({"data_loader": loader, "model": {}}), 3).as_dict(quiet=True)
    assert config["distributed"] == {"cuda_devices": [-1, -1, -1]}
    assert config["data_loader"].get("batch_sampler", config["data_loader"])["batch_size"] == 3
    assert os.environ["OMP_NUM_THREADS"] == "2"


@pytest.mark.parametrize(
    "config, message",
    [
        ({"data_loader": {"batch_size": 2}}, "found --jobs 3 and batches of 2 instances, expected a batch_size of 3"),
        ({"data_loader": {"batch_sampler": {"max_tokens": 500}}}, "batches of 0 instances"),
        ({"data_loader": {"batch_sampler": "bucket"}}, "batches of 0 instances"),
        ({"data_loader": {"batch_size": None, "batch_sampler": None}}, "batches of 0 instances"),
        ({"data_loader": {"batch_size": 9}, "distributed": {}}, "found --jobs and a configuration with distributed"),
    ],
)
def test_what_cannot_be_divided(config, message):
    with pytest.raises(ConfigurationError, match=message):
        in_processes(Params(config), 3)
