"""Every system trains and predicts under autocast to bfloat16, tried on a CPU."""

import functools

import pytest
import torch
from helpers.main_jobs import MAIN_JOBS, OVER_TRANSFORMER, first_batch
from torch.testing import assert_close

import nerzoo  # noqa: F401


@pytest.fixture(scope="module")
def started(tmp_path_factory):
    """Maps a main job to its model, without dropout, and a batch."""

    @functools.cache
    def start(job):
        torch.manual_seed(1)
        model, batch, _ = first_batch(job, tmp_path_factory.mktemp(job) / "run")
        for module in model.modules():
            if isinstance(getattr(module, "p", None), float):
                module.p = 0.0
        return model, batch

    return start


def step(model, batch, dtype):
    """The loss of a batch in a step of training, and the gradients."""
    # The same spans are drawn.
    torch.manual_seed(1)
    model.zero_grad()
    with torch.autocast("cpu", torch.bfloat16, enabled=dtype == torch.bfloat16):
        loss = model(**batch)["loss"]
    loss.backward()
    return loss, [parameter.grad for parameter in model.parameters() if parameter.grad is not None]


@pytest.mark.parametrize("job", [*MAIN_JOBS, OVER_TRANSFORMER])
def test_a_step_of_training(job, started):
    model, batch = started(job)
    model.train()
    expected, in_float32 = step(model, batch, torch.float32)
    found, gradients = step(model, batch, torch.bfloat16)
    # A sum over a batch in bfloat16, of eight binary digits, would be off by more.
    assert found.dtype == torch.float32
    assert_close(found, expected, rtol=0.01, atol=0.0)
    assert len(gradients) == len(in_float32)
    assert all(gradient.to_dense().isfinite().all() for gradient in gradients)


@pytest.mark.parametrize("job", [*MAIN_JOBS, OVER_TRANSFORMER])
def test_a_prediction(job, started):
    model, batch = started(job)
    model.eval()
    with torch.no_grad():
        expected = model.make_output_human_readable(model(**batch))
        with torch.autocast("cpu", torch.bfloat16):
            found = model.make_output_human_readable(model(**batch))
    assert found.keys() == expected.keys()
    assert all(len(found[name]) == len(rows) for name, rows in expected.items())
