"""
Profiles the training steps of each system with PyTorch's profiler: the processor time of a token, and the shares of
kinds of operations, over the first sentences of a treebank, in the batches of the configuration. Prints a table in
Markdown.

    DATA=FOLDER WORD_VECTORS=FILE python -m benchmarks.step_profile
"""

import json
import re
from collections import Counter
from multiprocessing import get_context
from typing import Any, Dict, List, Tuple

from torch.profiler import ProfilerActivity, profile

from benchmarks.gum import TRAIN, System, build, first
from experiments.common import argument_parser, corpus, markdown

EWT = corpus("ud_english_ewt/en_ewt-ud-train.conllu.gz")
NAMES = {"dataset_reader.corpus": {"type": "conllu", "proper_names": True}}
# The file, the numbers of instances, in all and in a batch, and overrides. The memory's instances are documents.
SYSTEMS: Dict[str, Tuple[str, int, int, Dict[str, Any]]] = {
    "ner": (TRAIN, 512, 10, NAMES),
    "deptree_ner/gum/full": (TRAIN, 512, 10, {}),
    "memory_ner/gum/hops_1": (TRAIN, 8, 1, {}),
    "fofe_ner/gum/nested": (TRAIN, 512, 16, {}),
    "seq2biseq/ud_english_ewt/seq2biseq_le": (EWT, 512, 32, {}),
}
# The kinds of operations, with a pattern of their names; the first that fits counts.
KINDS = {
    "optimizer": r"_foreach|_fused|Optimizer",
    "recurrent layers": r"rnn_layer|Gru",
    "convolutions": r"convolution",
    "products": r"mm_?$|scaled_dot",
    "moving data": r"cat|copy|clone|index|gather|scatter|fill|zero|embedding|select|slice|pad|stack|strided|unbind",
    "random numbers": r"bernoulli|random|uniform|dropout",
    "the rest": "",
}


def times(system: System) -> Counter:
    """The processor time of each kind of operations, in microseconds, in one pass over the batches."""
    system.train()
    with profile(activities=[ProfilerActivity.CPU]) as profiled:
        system.train()
    found: Counter = Counter()
    for event in profiled.key_averages():
        kind = next(kind for kind, pattern in KINDS.items() if re.search(pattern, event.key))
        found[kind] += event.self_cpu_time_total
    return found


def row(name: str) -> List[str]:
    """The row of a configuration."""
    path, number, batch_size, overrides = SYSTEMS[name]
    system = build(f"training_config/{name}.jsonnet", first(path, number), "cpu", batch_size, json.dumps(overrides))
    found = times(system)
    total = found.total()
    return [f"`{name}`", f"{total / system.num_tokens:.0f}", *(f"{found[kind] / total:.0%}" for kind in KINDS)]


def main() -> None:
    argument_parser(__doc__).parse_args()
    # A new process for each: what one leaves in memory changes the times of the next.
    with get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        rows = pool.map(row, SYSTEMS, chunksize=1)
    print(markdown(["configuration", "microseconds a token", *KINDS], rows))


if __name__ == "__main__":
    main()
