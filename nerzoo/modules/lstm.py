from typing import Optional, Tuple

import torch

from nerzoo.nn.precision import cpu_has_lstm


class Lstm(torch.nn.LSTM):
    """
    `torch.nn.LSTM` that also runs under autocast on a CPU without an LSTM in half precision, in the precision of its
    weights there; see `cpu_has_lstm`.
    """

    def forward(
        self, inputs: torch.Tensor, state: Optional[Tuple[torch.Tensor, torch.Tensor]] = None
    ) -> Tuple[torch.Tensor, Tuple[torch.Tensor, torch.Tensor]]:
        """As `torch.nn.LSTM`, of padded inputs."""
        if (
            inputs.device.type != "cpu"
            or not torch.is_autocast_enabled("cpu")
            or cpu_has_lstm(torch.get_autocast_dtype("cpu"))
        ):
            return super().forward(inputs, state)
        dtype = self.weight_hh_l0.dtype
        if state is not None:
            state = (state[0].to(dtype), state[1].to(dtype))
        with torch.autocast("cpu", enabled=False):
            return super().forward(inputs.to(dtype), state)
