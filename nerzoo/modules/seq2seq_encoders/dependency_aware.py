from typing import Any, Dict, List, Optional, Sequence, Set, Tuple, Union, cast

import torch
from allennlp.common.checks import ConfigurationError, check_dimensions_match
from allennlp.modules import InputVariationalDropout, Seq2SeqEncoder
from allennlp.nn.util import get_final_encoder_states

from nerzoo.errors import check_choice
from nerzoo.modules.seq2seq_encoders.attention import GlobalAttention, RelativeAttention
from nerzoo.modules.seq2seq_encoders.tree_lstm import TreeEncoder
from nerzoo.nn.trees import TreeLevels

COMPONENTS = ("semantic", "syntactic", "relative_attention", "global_attention")


class Sublayer(torch.nn.Module):
    """
    Wraps a component f of a larger encoder in variational dropout on its input, and in a residual connection, layer
    normalisation or both: z = LayerNorm(x + f(x)) (Aguilar and Solorio, 2019, equation 4). A residual connection raises
    `ConfigurationError`, with the `name` of the component, if its input and output differ in size.
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
        """Maps inputs (B, T, D), mask (B, T) and the context of the component to outputs (B, T, H), zero at padding."""
        return self.connect(inputs, self.states(inputs, mask, *context), mask)

    def states(self, inputs: torch.Tensor, mask: torch.BoolTensor, *context: torch.Tensor) -> torch.Tensor:
        """Returns f(x), (B, T, H), with the arguments of `forward`."""
        return self.component(self.dropout(inputs), mask, *context)

    def connect(self, inputs: torch.Tensor, states: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        """Returns the outputs (B, T, H) of `forward` from its inputs and `states` (B, T, H)."""
        outputs = inputs + states if self.residual else states
        if self.norm is not None:
            outputs = self.norm(outputs)
        return outputs * mask.unsqueeze(-1) if self.residual or self.norm is not None else outputs


@Seq2SeqEncoder.register("dependency_aware")
class DependencyAwareEncoder(TreeEncoder):
    """
    The encoder of Aguilar and Solorio (2019), their Figure 2: a stack of semantic layers (bidirectional LSTMs) and a
    stack of syntactic ones (Tree-LSTMs) read the same input side by side; their outputs are concatenated and go through
    the relative and then the global attention. The query of the global attention joins the last hidden states of the
    stacks: h_n, the state of the last word, of the semantic one and h_root of the syntactic one (section 3.2.3).

    Under equation 4, the weights a_i of the global attention have no effect: LayerNorm(h_i + a_i h_i) = LayerNorm((1 +
    a_i) h_i) is LayerNorm(h_i), up to the norm's epsilon, since the normalisation removes any factor. Their gradient is
    as good as zero without dropout, so that they stay as they were initialised. With dropout, which drops parts of the
    h_i that a_i multiplies, they are trained in this noise; in evaluation they have no effect then, either. They have
    one in a residual connection without normalisation, (1 + a_i) h_i, or outside both, a_i h_i. The latter divides the
    outputs, and the gradients of everything below, by about the number of words.

    Either stack may be empty and either attention absent: every row of the paper's Table 2 is a configuration. Without
    a syntactic stack no trees are read.

    # Parameters

    semantic : `List[Seq2SeqEncoder]`
        Layers that see the sequence, from the input upwards.
    syntactic : `List[TreeEncoder]`
        Layers that see the tree, from the input upwards.
    relative_attention, global_attention : `Seq2SeqEncoder`, optional
        A `RelativeAttention` and a `GlobalAttention`, whose sizes, `query_size`, too, are that of both stacks' outputs
        together.
    residual : `Union[bool, List[str]]`, optional (default = `True`)
        The components in a residual connection: `True` for all (equation 4), `False` for none, or names among
        `semantic` and `syntactic`, which are all layers of a stack, `relative_attention` and `global_attention`.
    norm : `Union[bool, List[str]]`, optional (default = `residual`)
        The components whose output is normalised, in the same form.
    query : `str`, optional (default = `"last"`)
        The semantic stack's part of the query: `"last"`, the state of the last word; or `"final"`, the final states of
        both directions, the backward one being the state of the first word.
    query_from : `str`, optional (default = `"outputs"`)
        The vectors that the query takes these states from: `"outputs"`, those of the top layers, which under equation 4
        are LayerNorm(x + h); or `"states"`, the h_n and h_root of the recurrent networks themselves, before their
        residual connection and normalisation. The paper leaves this open.
    dropout : `float`, optional (default = `0.0`)
        Variational dropout on the input of every component.

    # Raises

    `ConfigurationError` where both stacks are empty, an attention is of another kind, a name is none of those above, or
    sizes do not fit.
    """

    without_effect: Tuple[str, ...] = ()
    """The attentions whose weights do not change what the encoder computes in evaluation."""

    def __init__(
        self,
        semantic: List[Seq2SeqEncoder],
        syntactic: List[TreeEncoder],
        relative_attention: Optional[Seq2SeqEncoder] = None,
        global_attention: Optional[Seq2SeqEncoder] = None,
        residual: Union[bool, List[str]] = True,
        norm: Optional[Union[bool, List[str]]] = None,
        query: str = "last",
        query_from: str = "outputs",
        dropout: float = 0.0,
    ) -> None:
        stacks = [stack for stack in (semantic, syntactic) if stack]
        if not stacks:
            raise ConfigurationError("dependency_aware needs a semantic or a syntactic layer, found neither")
        check_choice("query", query, ("last", "final"))
        check_choice("query_from", query_from, ("outputs", "states"))
        in_residual = _components(residual, "residual")
        normalised = in_residual if norm is None else _components(norm, "norm")
        super().__init__(stacks[0][0].get_input_dim(), sum(stack[-1].get_output_dim() for stack in stacks))

        def sublayer(component: Seq2SeqEncoder, name: str, size: int) -> Sublayer:
            check_dimensions_match(component.get_input_dim(), size, f"input size of {name}", "size of what it reads")
            kind = name.split("[")[0]
            return Sublayer(component, name, kind in in_residual, kind in normalised, dropout)

        def stack(layers: Sequence[Seq2SeqEncoder], name: str) -> torch.nn.ModuleList:
            sizes = [self.input_size, *(layer.get_output_dim() for layer in layers)]
            return torch.nn.ModuleList(
                sublayer(layer, f"{name}[{i}]", size)
                for i, (layer, size) in enumerate(zip(layers, sizes, strict=False))
            )

        def attention(component: Optional[Seq2SeqEncoder], name: str, kind: type) -> Optional[Sublayer]:
            if component is None:
                return None
            if not isinstance(component, kind):
                raise ConfigurationError(f"{name} must be a {kind.__name__}, found a {type(component).__name__}")
            return sublayer(component, name, self.output_size)

        self.semantic = stack(semantic, "semantic")
        self.syntactic = stack(syntactic, "syntactic")
        self.relative_attention = attention(relative_attention, "relative_attention", RelativeAttention)
        self.global_attention = attention(global_attention, "global_attention", GlobalAttention)
        if isinstance(global_attention, GlobalAttention):
            check_dimensions_match(
                global_attention.query_size, self.output_size, "query size of global_attention", "size of both stacks"
            )
        self.context = TreeEncoder.context if syntactic else ()
        cancels = global_attention is not None and "global_attention" in in_residual & normalised
        self.without_effect = ("global_attention",) if cancels else ()
        self._query_from_states = query_from == "states"
        self._both_ends = query == "final" and bool(semantic) and semantic[-1].is_bidirectional()

    def forward(
        self,
        inputs: torch.Tensor,
        mask: torch.BoolTensor,
        heads: Optional[torch.Tensor] = None,
        levels: Optional[TreeLevels] = None,
    ) -> torch.Tensor:
        """Encodes as `TreeEncoder`, H being the size of both stacks' outputs. Only a syntactic stack needs trees."""
        features, query = self._extract(inputs, mask, heads, levels)
        if self.relative_attention is not None:
            features = self.relative_attention(features, mask)
        if self.global_attention is not None:
            features = self.global_attention(features, mask, query)
        return features

    def attention(
        self,
        inputs: torch.Tensor,
        mask: torch.BoolTensor,
        heads: Optional[torch.Tensor] = None,
        levels: Optional[TreeLevels] = None,
    ) -> Dict[str, torch.Tensor]:
        """
        Returns the weights of the attentions that the encoder has: `relative_attention` (B, T, T), each row the weights
        that one word gives to the others, and `global_attention` (B, T).
        """
        features, query = self._extract(inputs, mask, heads, levels)
        weights = {}
        if self.relative_attention is not None:
            weights["relative_attention"] = self.relative_attention.component.attention(features, mask)
            features = self.relative_attention(features, mask)
        if self.global_attention is not None:
            weights["global_attention"] = self.global_attention.component.attention(features, mask, query)
        return weights

    def _extract(
        self, inputs: torch.Tensor, mask: torch.BoolTensor, heads: Optional[torch.Tensor], levels: Optional[TreeLevels]
    ) -> Tuple[torch.Tensor, torch.Tensor]:
        """Returns the features of the words (B, T, H) and the state of the whole sentence (B, H), from both stacks."""
        features, queries = [], []
        if self.semantic:
            outputs, summarized = self._run(self.semantic, inputs, mask)
            features.append(outputs)
            # A row of nothing but padding has no last word; its first position, zero like all, takes its place.
            last = mask | (torch.arange(mask.shape[1], device=mask.device) == 0)
            queries.append(get_final_encoder_states(summarized, cast(torch.BoolTensor, last), self._both_ends))
        if self.syntactic:
            outputs, summarized = self._run(self.syntactic, inputs, mask, heads, levels)
            features.append(outputs)
            top: Any = self.syntactic[-1]
            queries.append(top.component.root_state(summarized, mask, heads))
        return torch.cat(features, -1), torch.cat(queries, -1)

    def _run(
        self, stack: torch.nn.ModuleList, inputs: torch.Tensor, mask: torch.BoolTensor, *context: Any
    ) -> Tuple[torch.Tensor, torch.Tensor]:
        """Returns the outputs of a stack and what the query is taken from, both (B, T, H)."""
        outputs = states = inputs
        for layer in stack:
            sublayer = cast(Sublayer, layer)
            states = sublayer.states(outputs, mask, *context)
            outputs = sublayer.connect(outputs, states, mask)
        return outputs, states if self._query_from_states else outputs


def _components(chosen: Union[bool, List[str]], option: str) -> Set[str]:
    """Returns the names of the components that an option of that name chooses."""
    if isinstance(chosen, bool):
        return set(COMPONENTS) if chosen else set()
    for name in chosen:
        check_choice(f"name of a component in {option}", name, COMPONENTS)
    return set(chosen)
