"""
The time of an LSTM by its size and that of the batch, in one direction, on inputs like those of `ner.jsonnet`, of 25
words: microseconds a word in training, forward and backward, and in prediction, and billions of operations a second,
which show the sizes that suit a processor. Times are processor time, medians over rounds in turn. Environment variables
restrict the instructions of the processor, and `--bfloat16` computes under autocast, as the callback `bfloat16` does:

    ONEDNN_MAX_CPU_ISA=AVX2 ATEN_CPU_CAPABILITY=avx2 python -m benchmarks.lstm_sizes [--repeats 9] [--bfloat16]
"""

import statistics
from itertools import product
from typing import Callable, Dict, List, Tuple

import torch

from benchmarks.measuring import processor_time
from experiments.common import argument_parser, markdown

LENGTH = 25
INPUT_SIZE = 156
HIDDEN_SIZES = 128, 192, 200, 208, 224, 256
BATCH_SIZES = 10, 32


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--bfloat16", action="store_true")
    args = parser.parse_args()
    works = {
        (batch, hidden): work(batch, hidden, args.bfloat16) for hidden, batch in product(HIDDEN_SIZES, BATCH_SIZES)
    }
    times: Dict[Tuple[int, int], List[Tuple[float, float]]] = {sizes: [] for sizes in works}
    for _ in range(1 + args.repeats):
        for sizes, (train, predict) in works.items():
            times[sizes].append((processor_time(train), processor_time(predict)))

    print(f"{torch.backends.cpu.get_cpu_capability()}, {args.repeats} rounds")
    header = ["batch", "hidden size", "training, us a word", "10^9 a second", "prediction, us a word", "10^9 a second"]
    rows = []
    for (batch, hidden), rounds in times.items():
        train, predict = (1e6 / batch / LENGTH * statistics.median(each) for each in zip(*rounds[1:], strict=True))
        operations = 2 * 4 * hidden * (INPUT_SIZE + hidden) / 1e3
        # The gradients of inputs and of weights take as many operations as the outputs, each.
        rates = [f"{train:.1f}", f"{3 * operations / train:.0f}", f"{predict:.1f}", f"{operations / predict:.0f}"]
        rows.append([str(batch), str(hidden), *rates])
    print(markdown(header, rows))


def work(batch: int, hidden: int, in_bfloat16: bool) -> Tuple[Callable[[], None], Callable[[], None]]:
    """Training and prediction of an LSTM."""
    autocast = torch.autocast("cpu", torch.bfloat16, in_bfloat16)
    lstm = torch.nn.LSTM(INPUT_SIZE, hidden, batch_first=True)
    inputs = torch.randn(batch, LENGTH, INPUT_SIZE, requires_grad=True)

    def train() -> None:
        with autocast:
            loss = lstm(inputs)[0].sum()
        loss.backward()

    @torch.no_grad()
    def predict() -> None:
        with autocast:
            lstm(inputs)

    return train, predict


if __name__ == "__main__":
    main()
