"""Batches, copied to a GPU while it computes."""

from typing import Any, Union

import torch
from allennlp.nn import util

_move_to_device = util.move_to_device


def _move_to_device_without_waiting(obj: Any, device: Union[torch.device, int]) -> Any:
    # nn/util.py, move_to_device: `obj.to(device=device)`, for which the host waits until the GPU has done all that was
    # asked of it before. From pinned memory a batch is copied while the step before it still runs.
    device = util.int_to_device(device)
    if isinstance(obj, torch.Tensor) and obj.device.type == "cpu" and device.type == "cuda":
        return obj.pin_memory().to(device, non_blocking=True)
    return _move_to_device(obj, device)


util.move_to_device = _move_to_device_without_waiting
