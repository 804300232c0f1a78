"""The LSTM under autocast, on CPUs with and without one in half precision."""

import os

import pytest
import torch
from helpers.processes import run_in_new_processes
from torch.testing import assert_close

from nerzoo.modules.seq2seq_encoders.bidirectional import Lstm, cpu_has_lstm

INPUT_SIZE, HIDDEN_SIZE = 5, 3


@pytest.fixture
def lstm() -> Lstm:
    torch.manual_seed(3)
    return Lstm(INPUT_SIZE, HIDDEN_SIZE, batch_first=True)


@pytest.fixture
def inputs() -> torch.Tensor:
    torch.manual_seed(5)
    return torch.randn(2, 7, INPUT_SIZE)


def test_is_the_lstm_of_pytorch_in_every_precision_without_autocast(lstm, inputs):
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        outputs, state = lstm.to(dtype)(inputs.to(dtype))
        expected, expected_state = torch.nn.LSTM.forward(lstm, inputs.to(dtype))
        assert outputs.dtype == dtype
        assert_close((outputs, *state), (expected, *expected_state), rtol=0, atol=0)


@pytest.mark.parametrize("has_lstm", [True, False])
def test_is_chosen_by_what_the_cpu_has(lstm, inputs, monkeypatch, has_lstm):
    if has_lstm and not cpu_has_lstm(torch.bfloat16):
        pytest.skip("this CPU has no bfloat16 LSTM")
    monkeypatch.setattr("nerzoo.modules.seq2seq_encoders.bidirectional.cpu_has_lstm", lambda dtype: has_lstm)
    expected, expected_state = lstm(inputs)
    with torch.autocast("cpu", torch.bfloat16):
        outputs, state = lstm(inputs.bfloat16())
        _, continued = lstm(inputs, state)
        outputs.float().sum().backward()
    assert outputs.dtype == (torch.bfloat16 if has_lstm else torch.float32)
    assert_close(outputs.float(), expected, rtol=0.05, atol=0.05)
    assert all(tensor.isfinite().all() for tensor in (*continued, lstm.weight_hh_l0.grad))
    # What is given as the state is used.
    assert not torch.equal(continued[0].float(), expected_state[0])


def _train_without_avx512(rank):
    # oneDNN reads it when it first computes.
    os.environ["ONEDNN_MAX_CPU_ISA"] = "AVX2"
    lstm = Lstm(INPUT_SIZE, HIDDEN_SIZE)
    with torch.autocast("cpu", torch.bfloat16):
        lstm(torch.ones(2, 7, INPUT_SIZE))[0].sum().backward()
    assert lstm.weight_ih_l0.grad.isfinite().all()


def test_a_cpu_without_avx512_trains_under_autocast():
    run_in_new_processes(_train_without_avx512)
