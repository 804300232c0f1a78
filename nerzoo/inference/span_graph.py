"""The computation of FOFE-NER as a graph of ONNX."""

import copy
from typing import Any, Collection, Dict, cast

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules.token_embedders import PassThroughTokenEmbedder
from torch.nn.functional import pad

from nerzoo.allennlp_private import token_embedders
from nerzoo.inference.onnx_graph import Graph, Reading
from nerzoo.models.fofe_ner import ENCODED, FofeNer
from nerzoo.modules.span_decoders import HighestFirst, LongestFirst, level_config
from nerzoo.modules.span_features.encoded_spans import EncodedSpans
from nerzoo.modules.span_features.span_features import FeatureInputs, SpanFeatures
from nerzoo.nn.numerics import IMPOSSIBLE
from nerzoo.nn.spans import span_cells, span_indices, span_mask
from nerzoo.text.span_levels import ALGORITHMS

_LENGTHS = 3
"""The number of lengths of spans that a graph classifies at a time."""


class SpanScores(Graph):
    """
    The logits (B, T, n, 1 + L) that a `FofeNer` gives to spans of up to n words, at [start, length - 1]: of no entity,
    then of the L types of entities. Those that its filter leaves out, and cells that are no span, are no entities.
    """

    reader = "entity_spans"

    def __init__(self, model: FofeNer, labels: Collection[str] = ()) -> None:
        super().__init__(model, labels)
        for number, level in enumerate(model.decoder.levels):
            if type(level) not in (HighestFirst, LongestFirst):
                found = f"model.decoder.levels.{number} of the type {type(level).__name__}"
                raise ConfigurationError(f"found {found}, expected {' or '.join(ALGORITHMS)}")
        embedders = [] if model.encoder is None else sorted(token_embedders(model.text_field_embedder).items())
        self._embedders = [name for name, _ in embedders]
        self.readings = [Reading(name, name, embedder) for name, embedder in embedders]
        parts: Dict[str, Any] = {name: part for name, part in model.features.items() if part.indexer != ENCODED}
        features = [
            Reading(f"features.{name}", part.indexer, getattr(part, "embedder", part)) for name, part in parts.items()
        ]
        self.readings += features
        # Features then read by their own names what is embedded.
        embedded: Dict[int, Any] = {
            id(module): PassThroughTokenEmbedder(module.get_output_dim())
            for _, _, module in features
            if not isinstance(module, SpanFeatures)
        }
        own: Any = copy.deepcopy(model.features, embedded)
        for name in parts:
            own[name].indexer = f"features.{name}"
        self._features = own

    @property
    def settings(self) -> Dict[str, Any]:
        model = self.model
        levels = [level_config(level) for level in model.decoder.levels]
        spans = {"max_length": model.max_length, "none_bias": model.none_bias, "levels": levels}
        spans["min_probability"] = model.min_probability
        return {"tags": model.types, "coding_scheme": None, "temperature": model.temperature, "spans": spans}

    def forward(self, rows: torch.Tensor, mask: torch.Tensor, *inputs: torch.Tensor) -> torch.Tensor:
        model = self.model
        read = self.read(rows, iter(inputs))
        if model.encoder is not None:
            read[ENCODED] = model.encoder(torch.cat([read[name] for name in self._embedders], -1), mask)
        tokens = {name: {"tokens": vectors} for name, vectors in read.items()}
        words = cast(torch.BoolTensor, mask)
        encoded = EncodedSpans(self._features.values(), FeatureInputs(tokens, words, model.max_length))
        kept: torch.Tensor = span_mask(mask, model.max_length)
        if model.span_filter is not None:
            kept = kept & (model.filter_logits(encoded, words).sigmoid() >= model.span_filter.threshold)
        logits_of = model.logits_of(encoded, are_few=False)
        # The spans of a few lengths at a time: the outputs of hidden layers for all would take gigabytes.
        grids = []
        for first in range(0, model.max_length, _LENGTHS):
            chosen = kept[:, :, first : first + _LENGTHS]
            spans = span_indices(chosen)
            # A graph cannot reshape nothing: the first word comes last, and its logits are left out.
            logits = logits_of(torch.cat([spans + torch.tensor([0, 0, first]), torch.tensor([[0, 0, 1]])]))[:-1]
            grid = pad(logits.new_zeros(*chosen.shape, 1), (0, len(model.types)), value=IMPOSSIBLE)
            grids.append(grid.index_put(span_cells(spans), logits))
        return torch.cat(grids, 2)
