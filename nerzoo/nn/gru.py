"""GRUs side by side, several times faster than `torch.nn.GRU` on a CPU."""

from typing import Any, List, Sequence, Tuple

import torch
from torch.autograd.function import once_differentiable

# The gradients of the two functions in one pass each, where tensor arithmetic takes three.
sigmoid_backward, tanh_backward = torch.ops.aten.sigmoid_backward, torch.ops.aten.tanh_backward


class Gru(torch.autograd.Function):
    """
    N GRUs side by side, of H units each, as torch.nn.GRU defines them:

        r_t = sigmoid(x^r_t + W^r h_{t-1})
        z_t = sigmoid(x^z_t + W^z h_{t-1})
        n_t = tanh(x^n_t + r_t * (W^n h_{t-1} + b^n))
        h_t = (1 - z_t) * n_t + z_t * h_{t-1}

    where x, the part of the gates that comes from the inputs, is computed before. On a CPU the time of a GRU grows with
    the number of its operations on small tensors: five a step here, and three in the backward pass, since everything
    that does not depend on the next step's gradient is computed at once for all steps; automatic differentiation has
    some forty.

    The inputs (N, T, B, 3H) and the weights (N, H, 3H), gates in the order r, z, n, and the biases b^n (N, 1, H) give
    the states (N, T, B, H).
    """

    @staticmethod
    @torch.amp.custom_fwd(device_type="cpu", cast_inputs=torch.float32)
    def forward(ctx: Any, inputs: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        num_networks, length, batch_size, _ = inputs.shape
        size = weight.shape[1]
        weight = weight.contiguous()
        # Time first: contiguous results are what batched matrix products are fast for.
        states = inputs.new_empty(length + 1, num_networks, batch_size, size).transpose(0, 1)
        gates = inputs.new_empty(length, num_networks, batch_size, 3 * size).transpose(0, 1)
        n = inputs.new_empty(length, num_networks, batch_size, size).transpose(0, 1)
        before, after = states[:, :-1], states[:, 1:]
        r, z, n_state = gates.chunk(3, -1)
        r_z, (r_z_in, n_in) = gates[..., : 2 * size], inputs.split([2 * size, size], -1)

        states[:, 0] = 0
        r_z.copy_(r_z_in)
        n_state.copy_(bias.unsqueeze(1))
        steps = (x.unbind(1) for x in (before, after, gates, r_z, r, z, n_state, n_in, n))
        for before_t, after_t, gates_t, r_z_t, r_t, z_t, n_state_t, n_in_t, n_t in zip(*steps, strict=True):
            gates_t.baddbmm_(before_t, weight)
            r_z_t.sigmoid_()
            torch.addcmul(n_in_t, r_t, n_state_t, out=n_t).tanh_()
            torch.lerp(n_t, before_t, z_t, out=after_t)
        ctx.save_for_backward(weight, states, gates, n)
        return after

    @staticmethod
    @once_differentiable
    @torch.amp.custom_bwd(device_type="cpu")
    def backward(  # type: ignore[override]  # torch/autograd/function.py, once_differentiable: its ctx has no name.
        ctx: Any, state_gradients: torch.Tensor
    ) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        weight, states, gates, n = ctx.saved_tensors
        num_networks, length, batch_size, size = n.shape
        before = states[:, :-1]
        r, z, n_state = gates.chunk(3, -1)
        # The derivatives of a state by x^r, x^z and W^n h + b^n of its own step; the loop multiplies them by gradients.
        gradients = n.new_empty(num_networks, length, batch_size, 3, size)
        by_r_in, by_z_in, by_n_state = gradients.unbind(-2)
        flat, by_n_in = gradients.flatten(3), tanh_backward(1 - z, n)
        torch.mul(by_n_in, n_state, out=by_r_in)
        torch.sub(before, n, out=by_z_in)
        torch.mul(by_n_in, r, out=by_n_state)
        by_r_z_in = flat[..., : 2 * size]
        sigmoid_backward(by_r_z_in, gates[..., : 2 * size], grad_input=by_r_z_in)

        totals = torch.empty_like(n).copy_(state_gradients)
        back = weight.transpose(1, 2).contiguous()
        gradients[:, -1] *= totals[:, -1].unsqueeze(-2)
        later = (x[:, 1:] for x in (flat, totals, z))
        earlier = (x[:, :-1] for x in (totals, totals.unsqueeze(-2), gradients))
        steps = (x.unbind(1)[::-1] for x in (*later, *earlier))
        for later_gradient, later_total, later_z, total, factor, gradient in zip(*steps, strict=True):
            total.addcmul_(later_total, later_z).baddbmm_(later_gradient, back)
            gradient.mul_(factor)

        # shape: (N, T * B, 3H)
        by_word = flat.flatten(1, 2)
        weight_gradient = before.flatten(1, 2).transpose(1, 2) @ by_word
        bias_gradient = by_word[..., 2 * size :].sum(1, keepdim=True)
        # The gradients of the inputs are the same but for x^n, which stands outside the reset gate's product.
        torch.mul(totals, by_n_in, out=by_n_state)
        return flat, weight_gradient, bias_gradient


def run_side_by_side(networks: Sequence[torch.nn.GRU], inputs: Sequence[torch.Tensor]) -> List[torch.Tensor]:
    """
    Runs GRUs of one layer, one direction and the same sizes, each on its own inputs (B, T, D), and returns the states
    (B, T, H) of each. On a CPU they run together; see `Gru`. In a graph that is exported, they are GRUs of ONNX.
    """
    if inputs[0].is_cuda or torch.onnx.is_in_onnx_export():
        return [network(x)[0] for network, x in zip(networks, inputs, strict=True)]
    weight_ih, weight_hh, bias_ih, bias_hh = (
        torch.stack([getattr(network, f"{name}_l0") for network in networks])
        for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    )
    size = networks[0].hidden_size
    # All biases of the states but the one inside the reset gate's product can be added to the biases of the inputs.
    bias = bias_ih + torch.nn.functional.pad(bias_hh[:, : 2 * size], (0, size))
    # shape: (N, T, B, D)
    by_step = torch.stack([x.transpose(0, 1) for x in inputs])
    gates = torch.baddbmm(bias.unsqueeze(1), by_step.flatten(1, 2), weight_ih.transpose(1, 2))
    states = Gru.apply(gates.view(*by_step.shape[:3], -1), weight_hh.transpose(1, 2), bias_hh[:, None, 2 * size :])
    return list(states.transpose(1, 2).unbind())
