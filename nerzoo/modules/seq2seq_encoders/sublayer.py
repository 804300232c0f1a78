from typing import Any

import torch
from allennlp.common.checks import check_dimensions_match
from allennlp.modules import InputVariationalDropout, Seq2SeqEncoder


class Sublayer(torch.nn.Module):
    """
    Wraps a component f of a larger encoder in variational dropout on its input, a residual connection and layer
    normalisation, z = LayerNorm(x + f(x)) (Aguilar and Solorio, 2019, equation 4), or in one of the last two alone:
    z = x + f(x), or z = LayerNorm(f(x)).

    # Parameters

    component : `Seq2SeqEncoder`
    name : `str`
        The name of the component in error messages.
    residual : `bool`
        Raises `ConfigurationError` if the component's input and output differ in size.
    norm : `bool`
    dropout : `float`
    """

    def __init__(self, component: Seq2SeqEncoder, name: str, residual: bool, norm: bool, dropout: float) -> None:
        super().__init__()
        self.component: Any = component
        self.dropout = InputVariationalDropout(dropout)
        self.norm = torch.nn.LayerNorm(component.get_output_dim()) if norm else None
        self.residual = residual
        if residual:
            check_dimensions_match(
                component.get_input_dim(),
                component.get_output_dim(),
                f"input size of {name} with residual",
                "output size",
            )

    def forward(self, inputs: torch.Tensor, mask: torch.BoolTensor, *context: torch.Tensor) -> torch.Tensor:
        """
        Inputs (B, T, D) and mask (B, T) to outputs (B, T, H), zero at padding; `context` is handed on to the component.
        """
        outputs = self.component(self.dropout(inputs), mask, *context)
        if self.residual:
            outputs = inputs + outputs
        if self.norm is not None:
            outputs = self.norm(outputs)
        return outputs * mask.unsqueeze(-1) if self.residual or self.norm is not None else outputs
