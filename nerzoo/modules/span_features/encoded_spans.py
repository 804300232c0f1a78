from typing import Any, Callable, Iterable, List, Optional, Tuple

import torch

from nerzoo.modules.span_features.span_features import FeatureInputs, SpanFeatures


class EncodedSpans:
    """
    The features of the spans of a batch in several parts, D numbers in all, and their product with the first layer of a
    network.

    # Parameters

    parts : `Iterable[SpanFeatures]`
    inputs : `FeatureInputs`
        The batch, of B = `num_sentences` sentences.
    """

    def __init__(self, parts: Iterable[SpanFeatures], inputs: FeatureInputs) -> None:
        self._parts: List[Tuple[SpanFeatures, Any]] = [(part, part.encode(inputs)) for part in parts]
        self.num_sentences = len(inputs.mask)

    def features(self, spans: torch.Tensor) -> torch.Tensor:
        """Returns the features of spans (S, 3), shape (S, D)."""
        return torch.cat([part(codes, spans) for part, codes in self._parts], 1)

    def outputs(
        self, layer: torch.nn.Linear, factors: Optional[torch.Tensor] = None
    ) -> Callable[[torch.Tensor], torch.Tensor]:
        """
        Returns a function from spans (S, 3) to the outputs (S, H) of a layer above their features, as a sum of the
        products of all parts, each of which computes once for all words what spans share. `factors` (B, D) multiply the
        features of all spans of a sentence before.
        """
        sizes = [part.get_output_dim() for part, _ in self._parts]
        weights = layer.weight.split(sizes, 1)
        split = [None] * len(sizes) if factors is None else factors.split(sizes, 1)
        products = [
            part.projected(codes, weight, factor)
            for (part, codes), weight, factor in zip(self._parts, weights, split, strict=True)
        ]

        def outputs(spans: torch.Tensor) -> torch.Tensor:
            total = layer.bias.repeat(spans.size(0), 1)
            for product in products:
                total += product(spans)
            return total

        return outputs
