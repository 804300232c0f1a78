import platform
from pathlib import Path

import pytest
import torch
from allennlp.training import TrainerCallback
from helpers.short_training import ShortTraining

from nerzoo.training.callbacks.bfloat16 import _has_bfloat16

TRAIN = ShortTraining(
    "thread_structure",
    {
        "train_data_path": "fixtures/threads/dev.jsonl",
        "trainer.num_epochs": 1,
        "trainer.callbacks": ["reproducible", "bfloat16"],
    },
)


class Precisions(TrainerCallback):
    """Keeps the types of the scores and of the loss of each batch."""

    def __init__(self):
        super().__init__(None)
        self.seen = set()

    def on_batch(self, trainer, batch_inputs, batch_outputs, *args, **kwargs):
        self.seen |= {(outputs["logits"].dtype, outputs["loss"].dtype) for outputs in batch_outputs}


@pytest.mark.parametrize("has_bfloat16, precision", [(True, torch.bfloat16), (False, torch.float32)])
def test_a_model_is_in_half_precision_while_it_is_trained(has_bfloat16, precision, tmp_path, monkeypatch, caplog):
    monkeypatch.setattr("nerzoo.training.callbacks.bfloat16._has_bfloat16", lambda: has_bfloat16)
    training = TRAIN.build(tmp_path)
    precisions = Precisions()
    training.trainer._callbacks.append(precisions)
    training.trainer.train()
    assert precisions.seen == {(precision, torch.float32)}
    assert ("this CPU has no instructions for bfloat16" in caplog.text) == (not has_bfloat16)
    assert {parameter.dtype for parameter in training.model.parameters()} == {torch.float32}
    assert "forward" not in vars(training.model)


def test_knows_whether_this_processor_has_avx_512():
    path = Path("/proc/cpuinfo")
    if not path.exists() or platform.machine() != "x86_64":
        pytest.skip("only Linux on x86-64 has the flags of the processor in /proc/cpuinfo")
    assert _has_bfloat16() == ("avx512f" in path.read_text().split())
