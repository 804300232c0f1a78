"""Gradients, clipped whether they are sparse or not."""

from typing import List

import torch
from allennlp.training import gradient_descent_trainer

_clip_grad_norm = gradient_descent_trainer.clip_grad_norm_


def _clip_grad_norm_of_sparse_gradients_too(parameters: List[torch.nn.Parameter], max_norm: float) -> torch.Tensor:
    # training/gradient_descent_trainer.py, rescale_gradients: calls torch's clip_grad_norm_, which takes no sparse
    # gradients, so that `grad_norm` fails with an `embedding` that is `sparse: true`.
    if not any(parameter.grad is not None and parameter.grad.is_sparse for parameter in parameters):
        return _clip_grad_norm(parameters, max_norm)
    values = []
    for parameter in parameters:
        gradient = parameter.grad
        if gradient is not None and gradient.is_sparse:
            gradient = parameter.grad = gradient.coalesce()
            gradient = gradient.values()
        if gradient is not None:
            values.append(gradient)
    norm = torch.nn.utils.get_total_norm(values)
    scale = (max_norm / (norm + 1e-6)).clamp(max=1.0)
    for gradient in values:
        gradient.mul_(scale)
    return norm


gradient_descent_trainer.clip_grad_norm_ = _clip_grad_norm_of_sparse_gradients_too  # type: ignore[assignment]
