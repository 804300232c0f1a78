from typing import Optional, Tuple

import torch

from nerzoo.nn.precision import cpu_has_lstm


class Lstm(torch.nn.LSTM):
    """
    `torch.nn.LSTM` that also runs under autocast on a CPU without an LSTM in half precision, in the precision of its
    weights there; see `cpu_has_lstm`.
    """

    weight_hh_l0: torch.Tensor

    def forward(
        self, inputs: torch.Tensor, state: Optional[Tuple[torch.Tensor, torch.Tensor]] = None
    ) -> Tuple[torch.Tensor, Tuple[torch.Tensor, torch.Tensor]]:
        """As `torch.nn.LSTM`, of padded inputs."""
        # torch/nn/modules/rnn.py, LSTM.forward: `_overload_method`, a decorator without types, hides the method's type.
        if (
            inputs.device.type != "cpu"
            or not torch.is_autocast_enabled("cpu")
            or cpu_has_lstm(torch.get_autocast_dtype("cpu"))
        ):
            return super().forward(inputs, state)  # type: ignore[has-type]
        dtype = self.weight_hh_l0.dtype
        if state is not None:
            state = (state[0].to(dtype), state[1].to(dtype))
        with torch.autocast("cpu", enabled=False):
            return super().forward(inputs.to(dtype), state)  # type: ignore[has-type]
