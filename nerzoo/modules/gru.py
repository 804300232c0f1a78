from typing import Any, List, Sequence, Tuple

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

    The inputs (N, T, B, 3H), the weights (N, H, 3H) and the biases (N, 1, 3H), gates in the order r, z, n, give the
    states (N, T, B, H).
    """

    @staticmethod
    @torch.amp.custom_fwd(device_type="cpu", cast_inputs=torch.float32)
    def forward(ctx: Any, inputs: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        num_networks, length, batch_size, _ = inputs.shape
        size = weight.shape[1]
        weight = weight.contiguous()
        states = inputs.new_zeros(num_networks, length + 1, batch_size, size)
        # Time first: contiguous results are what batched matrix products are fast for.
        recurrent = inputs.new_empty(length, num_networks, batch_size, 3 * size).transpose(0, 1)
        gates = torch.empty_like(inputs)
        parts = (part for x in (inputs, recurrent, gates) for part in x.split([2 * size, size], -1))
        steps = (x.unbind(1) for x in (states[:, :-1], states[:, 1:], recurrent, *parts))
        for before, after, of_state, r_z_in, n_in, r_z_of_state, n_of_state, r_z, n in zip(*steps, strict=True):
            torch.baddbmm(bias, before, weight, out=of_state)
            torch.add(r_z_in, r_z_of_state, out=r_z).sigmoid_()
            r, z = r_z.chunk(2, -1)
            torch.addcmul(n_in, r, n_of_state, out=n).tanh_()
            torch.lerp(n, before, z, out=after)
        ctx.save_for_backward(weight, states, gates, recurrent[..., 2 * size :])
        return states[:, 1:]

    @staticmethod
    @once_differentiable
    @torch.amp.custom_bwd(device_type="cpu")
    def backward(ctx: Any, state_gradients: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        weight, states, gates, n_of_state = ctx.saved_tensors
        before = states[:, :-1]
        r, z, n = gates.chunk(3, -1)
        # The derivatives of a state by x^r, x^z and W^n h + b^n of its own step, which are the same for any gradient.
        by_n_in = (1 - z) * (1 - n**2)
        by_gates = torch.stack([by_n_in * n_of_state * r * (1 - r), (before - n) * z * (1 - z), by_n_in * r], -2)
        gate_gradients = torch.empty_like(by_gates)
        totals = torch.empty_like(by_n_in)
        total = torch.zeros_like(totals[:, 0])
        back = weight.transpose(1, 2).contiguous()
        for t in reversed(range(totals.shape[1])):
            torch.add(total, state_gradients[:, t], out=totals[:, t])
            torch.mul(by_gates[:, t], totals[:, t].unsqueeze(-2), out=gate_gradients[:, t])
            total = torch.baddbmm(totals[:, t] * z[:, t], gate_gradients[:, t].flatten(2), back)
        gate_gradients = gate_gradients.flatten(3)
        # shape: (N, T * B, 3H)
        flat = gate_gradients.flatten(1, 2)
        weight_gradient = before.flatten(1, 2).transpose(1, 2) @ flat
        bias_gradient = flat.sum(1, keepdim=True)
        gate_gradients[..., 2 * n.shape[-1] :] = totals * by_n_in
        return gate_gradients, weight_gradient, bias_gradient


def run_side_by_side(networks: Sequence[torch.nn.GRU], inputs: Sequence[torch.Tensor]) -> List[torch.Tensor]:
    """
    Several GRUs of one layer, one direction and one size, each on its own inputs (B, T, D). Returns the states
    (B, T, H) of each. On a CPU they run together; see `Gru`.
    """
    if inputs[0].is_cuda:
        # cuDNN needs no help.
        return [network(x)[0] for network, x in zip(networks, inputs, strict=True)]
    weight_ih, weight_hh, bias_ih, bias_hh = (
        torch.stack([getattr(network, f"{name}_l0") for network in networks])
        for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    )
    # shape: (N, T, B, D)
    by_step = torch.stack([x.transpose(0, 1) for x in inputs])
    gates = torch.baddbmm(bias_ih.unsqueeze(1), by_step.flatten(1, 2), weight_ih.transpose(1, 2))
    states = Gru.apply(gates.view(*by_step.shape[:3], -1), weight_hh.transpose(1, 2), bias_hh.unsqueeze(1))
    return list(states.transpose(1, 2).unbind())
