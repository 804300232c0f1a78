from typing import Any

import torch
from allennlp.training import GradientDescentTrainer, TrainerCallback


@TrainerCallback.register("bfloat16")
class BFloat16(TrainerCallback):
    """
    Runs a model under autocast to bfloat16 while it is trained and validated; its parameters, the optimiser and sums of
    a CRF stay in float32. bfloat16 has the range of float32, and so the loss needs no scaling, which the float16 of
    AllenNLP's `use_amp` needs. It also works on a CPU, where it is slower than float32 unless the processor has
    instructions for it, AVX512-BF16 or AMX.
    """

    def on_start(self, trainer: GradientDescentTrainer, is_primary: bool = True, **kwargs: Any) -> None:
        super().on_start(trainer, is_primary, **kwargs)
        model: Any = trainer.model
        model.forward = torch.autocast(trainer.cuda_device.type, torch.bfloat16)(model.forward)

    def on_end(self, trainer: GradientDescentTrainer, *args: Any, **kwargs: Any) -> None:
        # The model's own method is that of its class.
        del trainer.model.forward
