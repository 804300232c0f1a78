from typing import Iterable, List

import torch


def clip_gradients(parameters: Iterable[torch.nn.Parameter], max_norm: float) -> torch.Tensor:
    """
    Scales gradients, dense and sparse ones, so that their total norm is at most `max_norm`, as
    `torch.nn.utils.clip_grad_norm_` does, which takes no sparse ones. Returns the norm before.
    """
    values: List[torch.Tensor] = []
    for parameter in parameters:
        if parameter.grad is not None and parameter.grad.is_sparse:
            parameter.grad = parameter.grad.coalesce()
            values.append(parameter.grad.values())
        elif parameter.grad is not None:
            values.append(parameter.grad)
    norm = torch.nn.utils.get_total_norm(values)
    scale = (max_norm / (norm + 1e-6)).clamp(max=1.0)
    for gradient in values:
        gradient.mul_(scale)
    return norm
