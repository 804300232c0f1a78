"""Encoders that read dependency trees."""

from typing import List, Optional, Tuple

import torch
from allennlp.modules import Seq2SeqEncoder

from nerzoo.modules.seq2seq_encoders.encoder import SizedEncoder
from nerzoo.nn.trees import TreeLevels, tree_levels


class TreeEncoder(SizedEncoder):
    """A `Seq2SeqEncoder` that sees the dependency tree of each sentence: its `forward` takes `heads` as well."""

    context: Tuple[str, ...] = ("heads", "levels")

    def forward(
        self, inputs: torch.Tensor, mask: torch.BoolTensor, heads: torch.Tensor, levels: Optional[TreeLevels] = None
    ) -> torch.Tensor:
        """
        Maps inputs (B, T, D), mask (B, T) and heads (B, T), the position of each token's head, counted from 1, 0 for a
        root, to outputs (B, T, H), zero at padding. Several roots are legal. `levels` belong to the same trees, as
        `LevelsField` gives them; without them the encoder finds them itself, and has to wait for a GPU.
        """
        raise NotImplementedError

    def root_state(self, outputs: torch.Tensor, mask: torch.BoolTensor, heads: torch.Tensor) -> torch.Tensor:
        """Returns the mean (B, H) of `outputs` (B, T, H) over the roots of each sentence, zero where there is none."""
        roots = (mask & (heads == 0)).unsqueeze(-1).to(outputs.dtype)
        return (outputs * roots).sum(1) / roots.sum(1).clamp_min(1)


@TreeEncoder.register("child_sum_tree_lstm")
@Seq2SeqEncoder.register("child_sum_tree_lstm")
class ChildSumTreeLstm(TreeEncoder):
    """
    The Child-Sum Tree-LSTM of Tai et al. (2015) over dependency trees, as in section 3.2.1 of Aguilar and Solorio,
    "Dependency-Aware Named Entity Recognition with Relative and Global Attentions" (2019): the state of a word j comes
    from its input x_j and the states of its children k in C(j),

        h~_j = sum_k h_k
        i_j  = sigmoid(W(i) x_j + U(i) h~_j + b(i))      o_j and, with tanh, u_j likewise
        f_jk = sigmoid(W(f) x_j + U(f) h_k + b(f))
        c_j  = i_j * u_j + sum_k f_jk * c_k
        h_j  = o_j * tanh(c_j)

    All trees of the batch run together, one step for each level of the tallest one, from the deepest words up to the
    roots. U is linear, so that each child can add its own U h_k to its parent's gates: one matrix product a level.

    # Parameters

    input_size, hidden_size : `int`
        D, the size of the inputs, and H, the size of the states.
    """

    def __init__(self, input_size: int, hidden_size: int) -> None:
        super().__init__(input_size, hidden_size)
        # Both hold the gates i, o, u and f, in this order.
        self.input_linearity = torch.nn.Linear(input_size, 4 * hidden_size)
        self.state_linearity = torch.nn.Linear(hidden_size, 4 * hidden_size, bias=False)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draws all parameters from (-1/sqrt(H), 1/sqrt(H)), as `torch.nn.LSTM` does, so that both start alike."""
        for parameter in self.parameters():
            torch.nn.init.uniform_(parameter, -(self.output_size**-0.5), self.output_size**-0.5)

    def forward(
        self, inputs: torch.Tensor, mask: torch.BoolTensor, heads: torch.Tensor, levels: Optional[TreeLevels] = None
    ) -> torch.Tensor:
        """Encodes as `TreeEncoder`. Raises `ValueError` where heads form a cycle or lie outside their sentence."""
        levels = levels or tree_levels(heads.cpu(), mask.cpu()).to(mask.device)
        order, parent, parent_in_level, sizes = levels
        hidden_size = self.output_size
        # shape: (N, 3H) and (N, H), N words in the order of their levels; the forget gate sees the parent's input
        iou_inputs, f_inputs = self.input_linearity(inputs.flatten(0, 1)[order]).split(
            [3 * hidden_size, hidden_size], -1
        )
        if torch.onnx.is_in_onnx_export():
            run = torch.jit.script(_states_in_a_loop)
            states = run(iou_inputs, f_inputs[parent], parent_in_level, sizes, self.state_linearity.weight.t())
        else:
            states = self._by_level(iou_inputs, f_inputs[parent], parent_in_level, sizes)
        outputs = states.new_zeros(mask.numel(), hidden_size).index_put((order,), states)
        return outputs.view(*mask.shape, hidden_size)

    def _by_level(
        self, iou_inputs: torch.Tensor, f_inputs: torch.Tensor, parent_in_level: torch.Tensor, sizes: List[int]
    ) -> torch.Tensor:
        """Returns the states of N words, (N, H), given their part in the gates i, o, u, (N, 3H), and f, (N, H)."""
        hidden_size = self.output_size
        iou_and_f = [3 * hidden_size, hidden_size]
        levels = zip(iou_inputs.split(sizes), f_inputs.split(sizes), parent_in_level.split(sizes), strict=True)

        states = [iou_inputs[:0, :hidden_size]]
        # Sums over the children of each word of a level, for its gates and its cell, shape (N', 4H)
        received = iou_inputs.new_zeros(sizes[0] if sizes else 0, 4 * hidden_size)
        for above, (iou_input, f_input, parents) in enumerate(levels, start=1):
            iou_children, memory = received.split(iou_and_f, -1)
            i, o, u = (iou_input + iou_children).chunk(3, -1)
            cell = i.sigmoid() * u.tanh() + memory
            states.append(o.sigmoid() * cell.tanh())
            if above < len(sizes):
                iou, f = self.state_linearity(states[-1]).split(iou_and_f, -1)
                sent = torch.cat([iou, (f_input + f).sigmoid() * cell], -1)
                received = sent.new_zeros(sizes[above], sent.shape[-1]).index_add(0, parents, sent)
        return torch.cat(states)


def _states_in_a_loop(
    iou_inputs: torch.Tensor,
    f_inputs: torch.Tensor,
    parent_in_level: torch.Tensor,
    sizes: torch.Tensor,
    state_weight: torch.Tensor,
) -> torch.Tensor:
    """
    Returns what `ChildSumTreeLstm._by_level` does, in a form that becomes a loop of ONNX: `sizes` is a tensor, and each
    level takes its part of the inputs by itself, whose gradients would be slow.
    """
    num_gates = iou_inputs.shape[1]
    hidden_size = f_inputs.shape[1]
    states = f_inputs[:0]
    received = torch.zeros([int(sizes[0]), num_gates + hidden_size])
    start = 0
    for level in range(sizes.shape[0]):
        end = start + int(sizes[level])
        gates = iou_inputs[start:end] + received[:, :num_gates]
        i, o = gates[:, :hidden_size].sigmoid(), gates[:, hidden_size : 2 * hidden_size].sigmoid()
        cell = i * gates[:, 2 * hidden_size :].tanh() + received[:, num_gates:]
        state = o * cell.tanh()
        states = torch.cat([states, state])
        children = state @ state_weight
        forget = (f_inputs[start:end] + children[:, num_gates:]).sigmoid()
        sent = torch.cat([children[:, :num_gates], forget * cell], 1)
        # The roots send nothing; their level stands for the one above it.
        above = int(sizes[min(level + 1, sizes.shape[0] - 1)])
        place = parent_in_level[start:end].unsqueeze(1).expand_as(sent)
        received = torch.zeros([above, num_gates + hidden_size]).scatter_add(0, place, sent)
        start = end
    return states
