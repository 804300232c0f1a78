"""
A step of Adam: AllenNLP's `adam` and nerzoo's `fused_adam`, on twelve matrices of half a million parameters together,
and of four million, as many as Seq2Biseq has.

    python -m benchmarks.optimizers [--device cuda] [--repeats 61]
"""

import torch
from allennlp.training.optimizers import AdamOptimizer

from benchmarks.measuring import compare, read_options
from nerzoo.training.optimizers import FusedAdam

NUM_MATRICES = 12
ROWS = 100


def main() -> None:
    args = read_options(__doc__, repeats=61)
    for size in (500_000, 4_000_000):
        steps = {}
        for optimizer in (AdamOptimizer, FusedAdam):
            shape = ROWS, size // NUM_MATRICES // ROWS
            parameters = [torch.nn.Parameter(torch.randn(shape, device=args.device)) for _ in range(NUM_MATRICES)]
            for parameter in parameters:
                parameter.grad = torch.randn_like(parameter)
            steps[optimizer.__name__] = optimizer([("", parameter) for parameter in parameters]).step
        compare(f"{size:,} parameters", steps, FusedAdam.__name__, args.device, args.repeats)


if __name__ == "__main__":
    main()
