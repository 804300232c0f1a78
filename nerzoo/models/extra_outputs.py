from contextlib import contextmanager
from typing import Any, Collection, Dict, Iterator, List, Sequence, Tuple

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import TextFieldTensors
from allennlp.modules import Seq2SeqEncoder, TextFieldEmbedder

from nerzoo.allennlp_private import token_embedders
from nerzoo.models.heads.tag_head import TagHead
from nerzoo.text.annotation import SYNTAX

_GATES = ("gate", "gate_features")
"""The extra outputs of an embedder with a gate."""


class ExtraOutputs:
    """
    What predictions of a tagger hold on request, besides words, tags and entities; see `TaggingModel`. The head's are
    asked for here, and computed there.

    # Parameters

    text_field_embedder : `TextFieldEmbedder`
    encoder : `Seq2SeqEncoder`
    head : `TagHead`
    has_attention : `bool`
        Whether the attention of the encoder can be asked for.
    """

    def __init__(
        self, text_field_embedder: TextFieldEmbedder, encoder: Seq2SeqEncoder, head: TagHead, has_attention: bool
    ) -> None:
        self.asked_for: List[str] = []
        self._encoder: Any = encoder
        self._head = head
        self._has_attention = has_attention
        self._gated: List[Tuple[str, Any]] = [
            (name, embedder)
            for name, embedder in token_embedders(text_field_embedder).items()
            if getattr(embedder, "has_gate", False)
        ]

    @property
    def available(self) -> List[str]:
        """The names of those that there are."""
        available = [*self._head.extra_outputs]
        if self._has_attention:
            available.append("attention")
        if len(self._gated) == 1:
            available += _GATES
        return available

    def ask_for(self, names: Sequence[str]) -> None:
        """Has predictions hold these. Raises `ConfigurationError` where a name is none of those that there are."""
        available = self.available
        for name in names:
            if name not in available:
                raise ConfigurationError(
                    f"extra_outputs must be among {', '.join(available)}, found {name!r}; attention needs an encoder "
                    "that has it, gate one embedder char_gated with the combination attention"
                )
        self.asked_for = [*names]

    def add(self, name: str) -> None:
        """Adds one to predictions. Raises `ConfigurationError` where the model does not have it."""
        available = self.available
        if name not in available:
            raise ConfigurationError(f"found the extra output {name!r}, expected one of {', '.join(available)}")
        if name not in self.asked_for:
            self.asked_for.append(name)

    @contextmanager
    def more(self, names: Collection[str]) -> Iterator[None]:
        """Adds those of the names that there are within the block."""
        before = self.asked_for
        self.asked_for = [*before, *({*names} & {*self.available} - {*before})]
        try:
            yield
        finally:
            self.asked_for = before

    def shown(
        self,
        tokens: TextFieldTensors,
        embedded: torch.Tensor,
        mask: torch.BoolTensor,
        context: Dict[str, torch.Tensor],
    ) -> Dict[str, torch.Tensor]:
        """
        Computes those that are not the head's of the words of a batch, given as `tokens`, as embedded (B, T, D), with
        their mask (B, T) and what else the encoder reads: attention, (B, T, T) or to the slots of a memory; `gate`,
        (B, T), and `gate_features`, (B, T, D).
        """
        shown: Dict[str, torch.Tensor] = {}
        if "attention" in self.asked_for:
            weights = self._encoder.attention(embedded, mask, **context)
            shown |= weights if isinstance(weights, dict) else {"attention": weights}
        asked = [output for output in _GATES if output in self.asked_for]
        if asked:
            ((name, embedder),) = self._gated
            gate = embedder.gate(**tokens[name])
            shown |= {output: gate if output == "gate_features" else gate.mean(-1) for output in asked}
        return shown

    def readable(self, shown: Dict[str, torch.Tensor], sentences: List[Dict[str, Any]]) -> Dict[str, List[Any]]:
        """Returns what is `shown`, each cut to the length of its sentence, given their metadata, and `syntax`."""
        lengths = [len(sentence["words"]) for sentence in sentences]
        readable = self.syntax(sentences)
        for name, rows in shown.items():
            if name == "gate_features":
                readable[name] = [row[:n].tolist() for row, n in zip(rows, lengths, strict=True)]
                continue
            # Of words, (T,), of words to words, (T, T), or to the slots of a memory, of which the null memory is first.
            readable[name] = [
                row[tuple(slice(size - (len(row) - n)) for size in row.shape)].tolist()
                for row, n in zip(rows, lengths, strict=True)
            ]
        return readable

    def syntax(self, sentences: List[Dict[str, Any]]) -> Dict[str, List[Any]]:
        """What attention can be looked at with: of the metadata of sentences, syntax that one of them has at least."""
        names = SYNTAX if "attention" in self.asked_for else ()
        columns = {name: [sentence.get(name) for sentence in sentences] for name in names}
        return {name: column for name, column in columns.items() if any(column)}
