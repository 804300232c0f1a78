from typing import Any, Tuple

import torch
from torch.autograd.function import once_differentiable


class Gru(torch.autograd.Function):
    """
    N GRUs side by side, of H units each, as torch.nn.GRU defines them:

        r_t = sigmoid(x^r_t + W^r h_{t-1} + b^r)
        z_t = sigmoid(x^z_t + W^z h_{t-1} + b^z)
        n_t = tanh(x^n_t + r_t * (W^n h_{t-1} + b^n))
        h_t = (1 - z_t) * n_t + z_t * h_{t-1}

    with what the gates get of the inputs, x, computed before. On a CPU the time of a GRU goes into the number of its
    operations on small tensors: six a step here, four in the backward pass, where automatic differentiation has some
    forty, since all that does not wait for the next step's gradient is computed at once for all steps.

    The inputs (T, N, B, 3H), the weights (N, H, 3H) and the biases (N, 1, 3H), gates in the order r, z, n, give the
    states (T, N, B, H).
    """

    @staticmethod
    def forward(ctx: Any, inputs: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        size = weight.shape[1]
        weight = weight.contiguous()
        states = inputs.new_zeros(len(inputs) + 1, *inputs.shape[1:3], size)
        recurrent = torch.empty_like(inputs)
        gates = torch.empty_like(inputs)
        parts = (part for x in (inputs, recurrent, gates) for part in x.split([2 * size, size], -1))
        for before, after, of_state, r_z_in, n_in, r_z_of_state, n_of_state, r_z, n in zip(
            states[:-1], states[1:], recurrent, *parts, strict=True
        ):
            torch.baddbmm(bias, before, weight, out=of_state)
            torch.add(r_z_in, r_z_of_state, out=r_z).sigmoid_()
            r, z = r_z.chunk(2, -1)
            torch.addcmul(n_in, r, n_of_state, out=n).tanh_()
            torch.lerp(n, before, z, out=after)
        ctx.save_for_backward(weight, states, gates, recurrent[..., 2 * size :])
        return states[1:]

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, state_gradients: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        weight, states, gates, n_of_state = ctx.saved_tensors
        r, z, n = gates.chunk(3, -1)
        # The derivatives of a state by x^r, x^z and W^n h + b^n of its own step, which are the same for any gradient.
        by_n_in = (1 - z) * (1 - n**2)
        by_gates = torch.stack([by_n_in * n_of_state * r * (1 - r), (states[:-1] - n) * z * (1 - z), by_n_in * r], -2)
        gate_gradients = torch.empty_like(by_gates)
        totals = torch.empty_like(state_gradients)
        total = torch.zeros_like(states[0])
        back = weight.transpose(1, 2).contiguous()
        for t in reversed(range(len(totals))):
            torch.add(total, state_gradients[t], out=totals[t])
            torch.mul(by_gates[t], totals[t].unsqueeze(-2), out=gate_gradients[t])
            total = torch.baddbmm(totals[t] * z[t], gate_gradients[t].flatten(2), back)
        gate_gradients = gate_gradients.flatten(3)
        # shape: (N, T * B, H) and (N, T * B, 3H)
        before, flat = (x.transpose(0, 1).flatten(1, 2) for x in (states[:-1], gate_gradients))
        weight_gradient = before.transpose(1, 2) @ flat
        bias_gradient = flat.sum(1, keepdim=True)
        gate_gradients[..., 2 * n.shape[-1] :] = totals * by_n_in
        return gate_gradients, weight_gradient, bias_gradient
