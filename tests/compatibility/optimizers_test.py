import subprocess
import sys

import pytest
import torch
from helpers.paths import ROOT

import nerzoo.compatibility  # noqa: F401


def test_an_optimizer_leaves_the_compiler_of_torch_alone():
    source = (
        "import sys, nerzoo.compatibility, torch\n"
        "for optimizer in (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW, torch.optim.Adagrad):\n"
        "    parameter = torch.nn.Parameter(torch.ones(2))\n"
        "    optimizer = optimizer([parameter], lr=0.1)\n"
        "    parameter.sum().backward(); optimizer.step()\n"
        "    optimizer.zero_grad(); optimizer.load_state_dict(optimizer.state_dict())\n"
        "    assert (parameter < 1).all() and parameter.grad is None\n"
        "assert 'torch._dynamo' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", source], cwd=ROOT, check=True)


def test_a_step_has_gradients_where_it_is_differentiable():
    """The derivative of p - lr * p by p."""
    start = torch.ones(2, requires_grad=True)
    parameter = start.clone()
    optimizer = torch.optim.SGD([parameter], lr=0.1, differentiable=True)
    parameter.grad = parameter.clone()
    optimizer.step()
    parameter.sum().backward()
    assert start.grad.tolist() == pytest.approx([0.9, 0.9])
    plain = torch.nn.Parameter(torch.ones(2))
    plain.grad = torch.ones(2)
    torch.optim.SGD([plain], lr=0.1).step()
    assert plain.is_leaf and plain.tolist() == pytest.approx([0.9, 0.9])
