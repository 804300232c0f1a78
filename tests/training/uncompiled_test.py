import subprocess
import sys

import pytest
import torch
from helpers.paths import ROOT

from nerzoo.training.optimizers import FusedAdam, Sgd


def test_an_optimizer_leaves_the_compiler_of_torch_alone():
    source = (
        "import sys, nerzoo.components, torch\n"
        "from allennlp.training.optimizers import Optimizer\n"
        "for name in ('sgd', 'fused_adam'):\n"
        "    parameter = torch.nn.Parameter(torch.ones(2))\n"
        "    optimizer = Optimizer.by_name(name)([('p', parameter)], lr=0.1)\n"
        "    torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)\n"
        "    parameter.sum().backward(); optimizer.step()\n"
        "    optimizer.zero_grad(); optimizer.load_state_dict(optimizer.state_dict())\n"
        "    assert (parameter < 1).all() and parameter.grad is None\n"
        "assert 'torch._dynamo' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", source], cwd=ROOT, check=True)


@pytest.mark.parametrize("ours, theirs", [(Sgd, torch.optim.SGD), (FusedAdam, torch.optim.Adam)])
def test_steps_are_those_of_torch(ours, theirs):
    found, expected = (torch.nn.Parameter(torch.tensor([1.0, -2.0])) for _ in range(2))
    optimizers = ours([("p", found)], lr=0.1), theirs([expected], lr=0.1)
    for _ in range(3):
        for parameter, optimizer in zip((found, expected), optimizers, strict=True):
            optimizer.zero_grad()
            parameter.pow(2).sum().backward()
            optimizer.step()
    torch.testing.assert_close(found, expected)
    assert found.is_leaf
