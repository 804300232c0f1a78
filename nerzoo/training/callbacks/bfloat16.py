import logging
from typing import Any

import torch
from allennlp.training import GradientDescentTrainer, TrainerCallback

logger = logging.getLogger(__name__)


@TrainerCallback.register("bfloat16")
class BFloat16(TrainerCallback):
    """
    Runs a model under autocast to bfloat16 while it is trained and validated; its parameters, the optimiser and sums of
    a CRF stay in float32. bfloat16 has the range of float32, and so the loss needs no scaling, which the float16 of
    AllenNLP's `use_amp` needs. On a CPU without AVX-512 or SVE, where products would take thirty times as long, the
    model stays in float32, and a warning says so; AVX512-BF16 or AMX make it faster than float32.
    """

    def on_start(self, trainer: GradientDescentTrainer, is_primary: bool = True, **kwargs: Any) -> None:
        super().on_start(trainer, is_primary, **kwargs)
        model: Any = trainer.model
        is_enabled = trainer.cuda_device.type != "cpu" or _has_bfloat16()
        if not is_enabled:
            logger.warning("this CPU has no instructions for bfloat16 (AVX-512, SVE): training in float32")
        model.forward = torch.autocast(trainer.cuda_device.type, torch.bfloat16, enabled=is_enabled)(model.forward)

    def on_end(self, trainer: GradientDescentTrainer, *args: Any, **kwargs: Any) -> None:
        # The model's own method is that of its class.
        del trainer.model.forward


def _has_bfloat16() -> bool:
    return torch.backends.cpu.get_cpu_capability() not in ("DEFAULT", "AVX2")
