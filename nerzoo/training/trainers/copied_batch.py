from typing import Any

import torch
from allennlp.nn.util import move_to_device


def copied_batch(batch: Any, device: torch.device) -> Any:
    """
    Copies a batch from pinned memory to a GPU, which goes on with the step before meanwhile; AllenNLP's
    `move_to_device` waits until it has done all that it was asked for.
    """
    if isinstance(batch, torch.Tensor):
        return batch.pin_memory().to(device, non_blocking=True)
    if isinstance(batch, dict):
        return {key: copied_batch(part, device) for key, part in batch.items()}
    return move_to_device(batch, device)
