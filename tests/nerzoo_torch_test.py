"""Mostly in new interpreters, since AllenNLP has been imported in this one."""

import subprocess
import sys

import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.common.push_to_hf import HfFolder
from allennlp.training.optimizers import HuggingfaceAdamWOptimizer
from torch import nn

IMPORTED = "import allennlp.training as t; assert issubclass(t.optimizers.HuggingfaceAdamWOptimizer, torch.optim.AdamW)"


def run(program, **environment):
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("first", ["allennlp.commands", "transformers, huggingface_hub", "nerzoo"])
def test_allennlp_is_imported_whatever_is_imported_before(first):
    run(f"import {first}, torch, allennlp.commands; {IMPORTED}")


def test_importing_pytorch_imports_nothing_else():
    others = {"allennlp", "nerzoo", "transformers", "huggingface_hub"}
    run(f"import sys, torch; assert not {others} & {{*sys.modules}}; import allennlp.commands; {IMPORTED}")


def test_nerzoo_does_it_where_pytorch_does_not():
    run(f"import nerzoo, torch, allennlp.commands; {IMPORTED}", TORCH_DEVICE_BACKEND_AUTOLOAD="0")


def test_the_optimizer_corrects_the_bias():
    parameters = [*nn.Linear(1, 1).named_parameters()]
    assert HuggingfaceAdamWOptimizer(parameters, lr=0.5, weight_decay=0.1).defaults["weight_decay"] == 0.1
    with pytest.raises(ConfigurationError, match="^found correct_bias: false, expected true"):
        HuggingfaceAdamWOptimizer(parameters, correct_bias=False)


def test_push_to_hf_says_that_publish_takes_its_place():
    with pytest.raises(
        ImportError, match="^push-to-hf needs huggingface-hub below 1: use the command publish in its place$"
    ):
        HfFolder.get_token()
