from typing import Any, NamedTuple, Optional, Tuple

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules import Seq2SeqEncoder
from torch.nn.functional import pad, scaled_dot_product_attention

from nerzoo.modules.seq2seq_encoders.memory_window import MemoryWindow
from nerzoo.modules.seq2seq_encoders.recurrent_memory import RecurrentMemory


class MemoryRead(NamedTuple):
    """What was read from a memory, and where."""

    output: torch.Tensor
    """Shape (B, T, H). u^{K+1}."""
    attention: torch.Tensor
    """Shape (K, B, T, M). The weights of the slots, which sum to one over M; zero at padding."""


@Seq2SeqEncoder.register("memory_hop")
class MemoryEncoder(Seq2SeqEncoder):
    """
    The memory layer of Liu, Baldwin and Cohn, "Capturing Long-range Contextual Dependencies with Memory-enhanced
    Conditional Random Fields" (2017), section 3.1. With an input memory m and an output memory c (`RecurrentMemory`),
    and u^1 = m for the current input,

        p_ti = softmax_i(u_t^k . m_i), i <= t      (equation 4)
        o_t^k = sum_i p_ti c_i                     (equation 5)
        u_t^{k+1} = o_t^k + u_t^k                  (equation 6)

    for the hops k = 1 ... K. All hops read the same memories.

    Unless the weights are asked for, no matrix of all words by all slots is kept.

    # Parameters

    input_size : `int`
        D, the size of the inputs.
    hidden_size : `int`
        H, the size of states, slots and outputs.
    num_hops : `int`, optional (default = `1`)
        K. With none the output is the current input.
    shared_memory : `bool`, optional (default = `False`)
        Whether the output memory is the input memory, c = m, instead of one with its own parameters.
    causal : `bool`, optional (default = `True`)
        Whether slots after the current one are out of reach.
    null_memory : `bool`, optional (default = `False`)
        Whether there is a slot of zeros before all others, m_0 = c_0 = 0.
    dropout : `float`, optional (default = `0.0`)
        On inputs and outputs of the GRUs.
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_hops: int = 1,
        shared_memory: bool = False,
        causal: bool = True,
        null_memory: bool = False,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        if num_hops < 0:
            raise ConfigurationError(f"found num_hops {num_hops}, expected none or more")
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_hops = num_hops
        self.causal = causal
        self.null_memory = null_memory
        self.input_memory = RecurrentMemory(input_size, hidden_size, dropout)
        own_output_memory = num_hops > 0 and not shared_memory
        self.output_memory = RecurrentMemory(input_size, hidden_size, dropout) if own_output_memory else None

    def get_input_dim(self) -> int:
        return self.input_size

    def get_output_dim(self) -> int:
        return self.hidden_size

    def is_bidirectional(self) -> bool:
        return False

    def forward(
        self,
        inputs: torch.Tensor,
        mask: torch.BoolTensor,
        window: Optional[MemoryWindow] = None,
        current: Optional[torch.Tensor] = None,
    ) -> torch.Tensor:
        """
        # Parameters

        inputs : `torch.Tensor`
            Shape (B, T, D).
        mask : `torch.BoolTensor`
            Shape (B, T).
        window : `MemoryWindow`, optional
            Which tokens the memory holds; by default, all. Raises `ConfigurationError` where it is to hold the recent
            ones, but is not causal.
        current : `torch.Tensor`, optional
            u^1, shape (B, T, H), instead of m.

        # Returns

        `torch.Tensor`
            u^{K+1}, shape (B, T, H), zero at padding.
        """
        keys, values, current = self._memories(inputs, mask, window, current)
        for _ in range(self.num_hops):
            current = current + self._response(current, keys, values, mask, window)
        return current * mask.unsqueeze(-1)

    def read(
        self,
        inputs: torch.Tensor,
        mask: torch.BoolTensor,
        window: Optional[MemoryWindow] = None,
        current: Optional[torch.Tensor] = None,
    ) -> MemoryRead:
        """
        As `forward`, with the weights: their M slots are the T positions, after the null memory if there is one.
        """
        keys, values, current = self._memories(inputs, mask, window, current)
        visible = self._visible(mask, window)
        attention = []
        for _ in range(self.num_hops):
            scores = (current @ self._slots(keys).transpose(1, 2)).masked_fill(~visible, float("-inf"))
            attention.append(scores.softmax(-1) * mask.unsqueeze(-1))
            current = current + attention[-1] @ self._slots(values)
        stacked = torch.stack(attention) if attention else current.new_zeros(0, *visible.shape)
        return MemoryRead(current * mask.unsqueeze(-1), stacked)

    def _memories(
        self,
        inputs: torch.Tensor,
        mask: torch.BoolTensor,
        window: Optional[MemoryWindow],
        current: Optional[torch.Tensor],
    ) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        if window is not None and window.kept == "recent" and not self.causal:
            raise ConfigurationError("found a memory of the recent tokens that is not causal, expected causal: true")
        memories = [memory for memory in (self.input_memory, self.output_memory) if memory is not None]
        keys, *values = RecurrentMemory.fill(memories, inputs, mask)
        return keys, values[0] if values else keys, keys if current is None else current

    def _slots(self, memory: torch.Tensor) -> torch.Tensor:
        """The memory with the null slot, if there is one, in front."""
        return pad(memory, (0, 0, 1, 0)) if self.null_memory else memory

    def _visible(self, mask: torch.BoolTensor, window: Optional[MemoryWindow]) -> torch.BoolTensor:
        """Which slots each word sees, (B, T, M)."""
        slot = torch.arange(mask.shape[1], device=mask.device)
        word = slot.unsqueeze(1)
        visible = mask.unsqueeze(1)
        if self.causal:
            visible = visible & (slot <= word)
        if window is not None:
            visible = visible & (slot < window.size if window.kept == "first" else slot > word - window.size)
        # Padding sees anything, so that no softmax is over nothing.
        return pad(visible | ~mask.unsqueeze(2), (int(self.null_memory), 0), value=True)

    def _response(
        self,
        current: torch.Tensor,
        keys: torch.Tensor,
        values: torch.Tensor,
        mask: torch.BoolTensor,
        window: Optional[MemoryWindow],
    ) -> torch.Tensor:
        """o, (B, T, H), without the weights."""
        if window is not None and window.kept == "recent":
            return self._recent_response(current, keys, values, window.size)
        size = None if window is None else window.size
        keys, values = self._slots(keys[:, :size]), self._slots(values[:, :size])
        if not self.causal:
            # A row of nothing but padding sees its first position.
            visible = mask[:, :size] | ~mask[:, :1]
            visible = pad(visible, (int(self.null_memory), 0), value=True)[:, None, None]
            return _attend(current, keys, values, attn_mask=visible)
        # Word t sees the slots up to t. Padding stands after all words, which do not see it; the null memory is a slot
        # before all words, and so there must be a word that goes with it.
        current = self._slots(current)
        response = _attend(current, keys, values, is_causal=True)
        return response[:, int(self.null_memory) :]

    def _recent_response(
        self, current: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, size: int
    ) -> torch.Tensor:
        """The same where each word sees `size` slots: blocks of as many words see their own slots and those before."""
        length, device = current.shape[1], current.device
        size = min(size, length)
        num_blocks = -(-length // size)
        missing = num_blocks * size - length
        # shape: (B, J, N, H) of words and (B, J, 2N, H) of slots
        current = pad(current, (0, 0, 0, missing)).unflatten(1, (num_blocks, size))
        keys, values = (
            self._slots(pad(memory, (0, 0, size, missing)).unfold(1, 2 * size, size).transpose(2, 3))
            for memory in (keys, values)
        )
        word = torch.arange(size, device=device).unsqueeze(1)
        slot = torch.arange(2 * size, device=device)
        # shape: (J, N, 2N); the first block has none before it
        visible = ((slot > word) & (slot <= word + size)).repeat(num_blocks, 1, 1)
        visible[0] &= slot >= size
        visible = pad(visible, (int(self.null_memory), 0), value=True)
        response = scaled_dot_product_attention(current, keys, values, attn_mask=visible, scale=1.0)
        return response.flatten(1, 2)[:, :length]


def _attend(queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, **visible: Any) -> torch.Tensor:
    """Attention of one head, whose dimension torch's fused kernels insist on."""
    heads = (x.unsqueeze(1) for x in (queries, keys, values))
    return scaled_dot_product_attention(*heads, scale=1.0, **visible).squeeze(1)
