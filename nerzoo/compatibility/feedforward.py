"""The layers of feed-forward networks."""

from typing import Callable, Tuple, cast

import torch
from allennlp.modules import FeedForward


def split_first_product(
    feedforward: FeedForward,
) -> Tuple[torch.nn.Linear, Callable[[torch.Tensor], torch.Tensor]]:
    """
    Returns the matrix that a feed-forward network multiplies its input by, with its bias, and what the network does
    with the product; modules/feedforward.py, FeedForward.forward: `dropout(activation(layer(output)))`.
    """
    layers = list(zip(feedforward._linear_layers, feedforward._activations, feedforward._dropout, strict=True))

    def rest(output: torch.Tensor) -> torch.Tensor:
        for number, (linear, activation, dropout) in enumerate(layers):
            output = dropout(activation(linear(output) if number else output))
        return output

    return cast(torch.nn.Linear, layers[0][0]), rest
