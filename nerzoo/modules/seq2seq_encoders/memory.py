"""
The memory of a document (Liu, Baldwin and Cohn, 2017), which each of its tokens reads.

`sentences`, shape (B, N, L), holds the positions in the document of the tokens of each of up to N sentences, -1 at
padding, as `TaggedDocumentsReader` gives them.
"""

from dataclasses import dataclass
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple, cast

import torch
from allennlp.common import FromParams
from allennlp.common.checks import ConfigurationError
from allennlp.modules import Seq2SeqEncoder
from torch.nn.functional import pad, scaled_dot_product_attention

from nerzoo.errors import check_choice, check_range
from nerzoo.modules.seq2seq_encoders.bidirectional import BiGru, run_together
from nerzoo.modules.seq2seq_encoders.encoder import SizedEncoder


def sentence_mask(sentences: torch.Tensor) -> torch.BoolTensor:
    """Returns the mask (B * N, L) of sentences (B, N, L)."""
    return cast(torch.BoolTensor, (sentences >= 0).flatten(0, 1))


def split_documents(documents: torch.Tensor, sentences: torch.Tensor) -> torch.Tensor:
    """Splits documents (B, T, ...) into sentences (B * N, L, ...). Padding holds the document's first token."""
    return documents.flatten(0, 1)[_flat_positions(sentences, documents.shape[1])]


def join_sentences(tokens: torch.Tensor, sentences: torch.Tensor, length: int) -> torch.Tensor:
    """Joins sentences (B * N, L, H) to documents (B, `length`, H), zero at positions outside of all sentences."""
    num_positions = len(sentences) * length
    # One position more takes the padding.
    targets = _flat_positions(sentences, length).masked_fill(~sentence_mask(sentences), num_positions)
    documents = tokens.new_zeros(num_positions + 1, tokens.shape[-1])
    documents = documents.index_copy(0, targets.flatten(), tokens.flatten(0, 1))
    return documents[:-1].unflatten(0, (len(sentences), length))


def _flat_positions(sentences: torch.Tensor, length: int) -> torch.Tensor:
    """Returns the positions (B * N, L) of tokens in all documents, of `length` tokens each, one after the other."""
    starts = torch.arange(len(sentences), device=sentences.device).view(-1, 1, 1) * length
    return (starts + sentences.clamp_min(0)).flatten(0, 1)


def attend(queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, **visible: Any) -> torch.Tensor:
    """
    Attends without scaling, softmax(Q K^T) V, by PyTorch's fused kernels, which do not keep the matrix of all weights.
    Queries (B, T, H), keys and values (B, M, H) give responses (B, T, H); `visible` is `attn_mask` or `is_causal` of
    `scaled_dot_product_attention`.
    """
    # The fused kernels require the dimension of the heads.
    queries, keys, values = queries.unsqueeze(1), keys.unsqueeze(1), values.unsqueeze(1)
    return scaled_dot_product_attention(queries, keys, values, scale=1.0, **visible).squeeze(1)


def attend_to_recent(
    queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, size: int, null_slot: bool = False
) -> torch.Tensor:
    """
    Attends as `attend` does where M = T, and query t sees the slots t - size + 1 to t and, if `null_slot`, a slot of
    zeros. Blocks of `size` queries see the slots of their own block and of the block before.
    """
    length, device = queries.shape[1], queries.device
    size = min(size, length)
    num_blocks = -(-length // size)
    missing = num_blocks * size - length
    num_null = int(null_slot)
    # shape: (B, J, N, H) of queries and (B, J, 2N, H) of slots, or 2N + 1
    queries = pad(queries, (0, 0, 0, missing)).unflatten(1, (num_blocks, size))
    keys, values = (
        pad(pad(slots, (0, 0, size, missing)).unfold(1, 2 * size, size).transpose(2, 3), (0, 0, num_null, 0))
        for slots in (keys, values)
    )
    query = torch.arange(size, device=device).unsqueeze(1)
    slot = torch.arange(2 * size, device=device)
    # shape: (J, N, 2N), or 2N + 1
    visible = ((slot > query) & (slot <= query + size)).repeat(num_blocks, 1, 1)
    # There is no block before the first one.
    visible[0] &= slot >= size
    visible = pad(visible, (num_null, 0), value=True)
    responses = scaled_dot_product_attention(queries, keys, values, attn_mask=visible, scale=1.0)
    # shape: (B, T, H)
    return responses.flatten(1, 2)[:, :length]


@torch.jit.script_if_tracing
def attend_in_blocks(
    queries: torch.Tensor,
    keys: torch.Tensor,
    values: torch.Tensor,
    first: torch.Tensor,
    last: torch.Tensor,
    num_null: int,
    size: int = 256,
) -> torch.Tensor:
    """
    Attends as `attend` does where M = T, and query t sees the slots from `first` to `last`, shape (B, T) each, and
    `num_null` slots of zeros. A graph has no fused kernel, and keeps the weights of `size` queries at a time.
    """
    responses: List[torch.Tensor] = []
    for start in range(0, queries.shape[1], size):
        begin, end = first[:, start : start + size, None], last[:, start : start + size, None]
        lowest, beyond = int(begin.min()), int(end.max()) + 1
        slot = torch.arange(lowest, beyond)
        scores = queries[:, start : start + size] @ keys[:, lowest:beyond].transpose(1, 2)
        scores = scores.masked_fill((slot < begin) | (slot > end), float("-inf"))
        weights = pad(scores, (num_null, 0)).softmax(-1)[:, :, num_null:]
        responses.append(weights @ values[:, lowest:beyond])
    return torch.cat(responses, 1)


@dataclass(frozen=True)
class MemoryWindow(FromParams):
    """
    A bound on the tokens of a document that a memory holds.

    # Parameters

    size : `int`
        N, the number of tokens. Below one it raises `ConfigurationError`.
    kept : `str`, optional (default = `"recent"`)
        `"recent"`: for each token, itself and the N - 1 tokens before it. `"first"`: the first N of the document.
    """

    size: int
    kept: str = "recent"

    def __post_init__(self) -> None:
        check_range("window size", self.size, 1)
        check_choice("value of kept", self.kept, ("recent", "first"))


class RecurrentMemory(torch.nn.Module):
    """
    The memory of Liu et al. (2017), equations 1 to 3: the states of a bidirectional GRU at each position in one vector,
    m_t = tanh(W> m>_t + W< m<_t + b). Dropout is on inputs and outputs of the GRU.
    """

    def __init__(self, input_size: int, hidden_size: int, dropout: float) -> None:
        super().__init__()
        self.gru = BiGru(input_size, hidden_size)
        self.projection = torch.nn.Linear(2 * hidden_size, hidden_size)
        self.dropout = torch.nn.Dropout(dropout)

    def states(self, inputs: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        """Maps inputs (B, T, D) and mask (B, T) to the states of both directions, (B, T, 2H)."""
        return self.dropout(self.gru(self.dropout(inputs), mask))

    @staticmethod
    def fill(memories: Sequence["RecurrentMemory"], inputs: torch.Tensor, mask: torch.BoolTensor) -> List[torch.Tensor]:
        """Returns the slots (B, T, H) of each memory, zero at padding. The inputs (B, T, D) are dropped together."""
        states = run_together([memory.gru for memory in memories], memories[0].dropout(inputs), mask)
        return [
            memory.projection(memory.dropout(state)).tanh() * mask.unsqueeze(-1)
            for memory, state in zip(memories, states, strict=True)
        ]


class MemoryRead(NamedTuple):
    """
    The output u^{K+1}, (B, T, H); the weights of the slots in each hop, (K, B, T, M), zero at padding; and the scores
    of which these are the softmax, negative infinity where a token does not see a slot.
    """

    output: torch.Tensor
    attention: torch.Tensor
    scores: torch.Tensor


@Seq2SeqEncoder.register("memory_hop")
class MemoryEncoder(SizedEncoder):
    """
    Encodes each token with what it reads from a memory of its document: the memory layer of Liu, Baldwin and Cohn,
    "Capturing Long-range Contextual Dependencies with Memory-enhanced Conditional Random Fields" (2017), section 3.1.
    With an input memory m and an output memory c (`RecurrentMemory`), and u^1 for the current input, u_t^1 = m_t,

        p_ti = softmax_i(u_t^k . m_i), i <= t      (equation 4)
        o_t^k = sum_i p_ti c_i                     (equation 5)
        u_t^{k+1} = o_t^k + u_t^k                  (equation 6)

    for the hops k = 1 ... K. All hops read the same memories.

    `forward` keeps no matrix of all tokens by all slots; `read` and `attention` do.

    # Parameters

    input_size, hidden_size : `int`
        D, the size of the inputs, and H, the size of states, slots and outputs.
    num_hops : `int`, optional (default = `1`)
        K. Without a hop the output is the current input.
    shared_memory : `bool`, optional (default = `False`)
        Whether the output memory is the input memory, c = m, instead of a memory with parameters of its own.
    causal : `bool`, optional (default = `True`)
        Whether a token reads no slot after its own.
    null_memory : `bool`, optional (default = `False`)
        Whether there is a slot of zeros before all others, m_0 = c_0 = 0.
    dropout : `float`, optional (default = `0.0`)
        Dropout on inputs and outputs of the GRUs.
    window : `MemoryWindow`, optional
        The tokens that the memory holds; by default, all of the document.
    current_input : `str`, optional (default = `"memory"`)
        The source of u^1. `"memory"`: the input memory, as in the paper. `"sentence"`: the GRU of the input memory over
        the sentence alone and a tanh layer of its own, as in the program that the authors published; `forward` then
        reads the field `sentences`.

    # Raises

    `ConfigurationError` for a negative `num_hops`, an unknown `current_input`, or a window of recent tokens without
    `causal`.
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
        window: Optional[MemoryWindow] = None,
        current_input: str = "memory",
    ) -> None:
        super().__init__(input_size, hidden_size)
        check_range("num_hops", num_hops, 0)
        check_choice("current_input", current_input, ("memory", "sentence"))
        if window is not None and window.kept == "recent" and not causal:
            raise ConfigurationError("found a memory of the recent tokens that is not causal, expected causal: true")
        self.num_hops = num_hops
        self.causal = causal
        self.null_memory = null_memory
        self.window = window
        self.input_memory = RecurrentMemory(input_size, hidden_size, dropout)
        own_output_memory = num_hops > 0 and not shared_memory
        self.output_memory = RecurrentMemory(input_size, hidden_size, dropout) if own_output_memory else None
        self.current_projection = None
        if current_input == "sentence":
            self.context = ("sentences",)
            self.current_projection = torch.nn.Linear(2 * hidden_size, hidden_size)

    def slot_positions(self, length: int) -> List[Optional[int]]:
        """Returns the position in a document of T tokens of each of the M slots, `None` for the null memory."""
        return [*[None] * self.null_memory, *range(length)]

    def forward(
        self, inputs: torch.Tensor, mask: torch.BoolTensor, sentences: Optional[torch.Tensor] = None
    ) -> torch.Tensor:
        """
        Maps inputs (B, T, D) and mask (B, T) of B documents of up to T tokens to u^{K+1}, (B, T, H), zero at padding.
        `sentences` (B, N, L) are the positions in the document of the tokens of each of up to N sentences, -1 at
        padding; without them the current input `"sentence"` raises `ConfigurationError`.
        """
        keys, values, current = self._memories(inputs, mask, sentences)
        for _ in range(self.num_hops):
            current = current + self._response(current, keys, values, mask)
        return current * mask.unsqueeze(-1)

    def read(
        self, inputs: torch.Tensor, mask: torch.BoolTensor, sentences: Optional[torch.Tensor] = None
    ) -> MemoryRead:
        """Encodes like `forward`, and returns weights and scores of the slots, too; see `slot_positions`."""
        keys, values, current = self._memories(inputs, mask, sentences)
        visible = self._visible(mask)
        nothing = current.new_zeros(0, *visible.shape)
        attention, scores = [nothing], [nothing]
        for _ in range(self.num_hops):
            hop_scores = (current @ self._slots(keys).transpose(1, 2)).masked_fill(~visible, float("-inf"))
            weights = hop_scores.softmax(-1) * mask.unsqueeze(-1)
            current = current + weights @ self._slots(values)
            attention.append(weights.unsqueeze(0))
            scores.append(hop_scores.unsqueeze(0))
        return MemoryRead(current * mask.unsqueeze(-1), torch.cat(attention), torch.cat(scores))

    def attention(
        self, inputs: torch.Tensor, mask: torch.BoolTensor, sentences: Optional[torch.Tensor] = None
    ) -> torch.Tensor:
        """Returns the weights of the slots in the last hop, (B, T, M). Without a hop it raises `ConfigurationError`."""
        if not self.num_hops:
            raise ConfigurationError("found num_hops 0, expected one hop at least: there is no attention without a hop")
        return self.read(inputs, mask, sentences).attention[-1]

    def _memories(
        self, inputs: torch.Tensor, mask: torch.BoolTensor, sentences: Optional[torch.Tensor]
    ) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Returns the input memory, the output memory and u^1, (B, T, H) each."""
        current = None
        if self.current_projection is not None:
            if sentences is None:
                raise ConfigurationError(
                    "found documents without sentences, expected them: current_input is sentence, and so the model "
                    "must give the positions of each sentence"
                )
            states = self.input_memory.states(split_documents(inputs, sentences), sentence_mask(sentences))
            current = join_sentences(self.current_projection(states).tanh(), sentences, inputs.shape[1])
        memories = [memory for memory in (self.input_memory, self.output_memory) if memory is not None]
        keys, *values = RecurrentMemory.fill(memories, inputs, mask)
        return keys, values[0] if values else keys, keys if current is None else current

    def _slots(self, memory: torch.Tensor) -> torch.Tensor:
        """Returns the memory with the null memory, if there is one, in front."""
        return pad(memory, (0, 0, 1, 0)) if self.null_memory else memory

    def _range(self, mask: torch.BoolTensor) -> Tuple[torch.Tensor, torch.Tensor]:
        """Returns the first and the last slot that each token sees beside the null memory, (B, T) each."""
        token = torch.arange(mask.shape[1], device=mask.device).expand(mask.shape)
        # A row of nothing but padding sees its first position.
        last = token if self.causal else (mask.sum(1, keepdim=True) - 1).clamp_min(0).expand(mask.shape)
        if self.window is None:
            return torch.zeros_like(token), last
        if self.window.kept == "first":
            return torch.zeros_like(token), last.clamp_max(self.window.size - 1)
        return (token - self.window.size + 1).clamp_min(0), last

    def _visible(self, mask: torch.BoolTensor) -> torch.Tensor:
        """Marks the slots that each token sees, (B, T, M)."""
        first, last = (bound.unsqueeze(2) for bound in self._range(mask))
        slot = torch.arange(mask.shape[1], device=mask.device)
        return pad((slot >= first) & (slot <= last), (int(self.null_memory), 0), value=True)

    def _response(
        self, current: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, mask: torch.BoolTensor
    ) -> torch.Tensor:
        """Returns o, (B, T, H), without keeping the weights."""
        if torch.onnx.is_in_onnx_export():
            return attend_in_blocks(current, keys, values, *self._range(mask), int(self.null_memory))
        if self.window is not None and self.window.kept == "recent":
            return attend_to_recent(current, keys, values, self.window.size, self.null_memory)
        size = None if self.window is None else self.window.size
        keys, values = self._slots(keys[:, :size]), self._slots(values[:, :size])
        if not self.causal:
            # A row of nothing but padding sees its first position.
            visible = mask[:, :size] | ~mask[:, :1]
            visible = pad(visible, (int(self.null_memory), 0), value=True)[:, None, None]
            return attend(current, keys, values, attn_mask=visible)
        # Token t sees the slots up to t, and no padding, which is after all tokens. The null memory is before them, so
        # that it needs a query of its own.
        current = self._slots(current)
        response = attend(current, keys, values, is_causal=True)
        return response[:, int(self.null_memory) :]


# For parameters that must be a `MemoryEncoder`.
MemoryEncoder.register("memory_hop")(MemoryEncoder)
