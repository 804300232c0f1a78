"""
The growth of the cost of each system with its data: `nerzoo train` of one epoch and `nerzoo predict` of the same, whole
processes, on 1, 10 and 100 times as many tokens. Prints processor time, the peak of memory, and the seconds that each
additional thousand tokens takes, from the first size to the second and from the second to the third: the same if the
cost is linear.

    DATA=FOLDER WORD_VECTORS=output/glove.100d.txt SEED=1 python -m benchmarks.growth [--tokens 1000] [--systems ner]

The data is that of `benchmarks.end_to_end`, sentences of GUM for all but `ner`.
"""

import tempfile
from pathlib import Path
from typing import List

from benchmarks.end_to_end import GUM, Nerzoo, write_parts
from benchmarks.measuring import Cost
from experiments.common import argument_parser

SYSTEMS = {
    "ner": Nerzoo("training_config/ner.jsonnet", ".txt"),
    "dependency-aware": Nerzoo(f"{GUM}/full.jsonnet", ".conllu"),
    "memory, documents": Nerzoo("training_config/memory_ner/gum/hops_1.jsonnet", ".conllu"),
    "FOFE-NER": Nerzoo("training_config/fofe_ner/gum/nested.jsonnet", ".conllu"),
    "attention over characters": Nerzoo("training_config/char_attention/ud_english_ewt/attention.jsonnet", ".conllu"),
    "Seq2Biseq": Nerzoo("training_config/seq2biseq/ud_english_ewt/seq2biseq_le.jsonnet", ".conllu"),
    "FOFE language model": Nerzoo("training_config/fofe_lm/wikitext2/fofe_2.jsonnet", ".lines"),
}
FACTORS = (1, 10, 100)


def write_lines(folder: Path) -> None:
    """Writes the words of the parts that are treebanks, a sentence a line."""
    for treebank in folder.glob("*.conllu"):
        blocks = treebank.read_text(encoding="utf-8").strip().split("\n\n")
        rows = ([line.split("\t") for line in block.splitlines() if line[0] != "#"] for block in blocks)
        lines = (" ".join(row[1] for row in sentence if row[0].isdecimal()) + "\n" for sentence in rows)
        treebank.with_suffix(".lines").write_text("".join(lines), encoding="utf-8")


def row(name: str, work: str, costs: List[Cost], sizes: List[int]) -> str:
    rates = [
        1000 * (costs[at + 1].processor - costs[at].processor) / (sizes[at + 1] - sizes[at])
        for at in range(len(sizes) - 1)
    ]
    cells = [f"{cost.processor:.1f} s, {cost.memory:.2f} GiB" for cost in costs] + [f"{rate:.3f}" for rate in rates]
    return f"| {name} | {work} | " + " | ".join(cells) + " |"


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("--tokens", type=int, default=1000)
    parser.add_argument("--systems", nargs="+", choices=SYSTEMS, default=list(SYSTEMS), metavar="SYSTEM")
    args = parser.parse_args()
    sizes = [factor * args.tokens for factor in FACTORS]
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            data = Path(folder, str(size))
            write_parts(data, size)
            write_lines(data)
        titles = [f"{size:,} tokens" for size in sizes] + ["s a thousand more", "and more"]
        print("| system | work | " + " | ".join(titles) + " |")
        print("|---" * (2 + len(titles)) + "|")
        for name in args.systems:
            system = SYSTEMS[name]
            training, prediction = [], []
            for size in sizes:
                data, output = Path(folder, str(size)), Path(folder, "output")
                training.append(system.train(data, output))
                prediction.append(system.predict(data, "train", output))
            print(row(name, "train", training, sizes), row(name, "predict", prediction, sizes), sep="\n", flush=True)


if __name__ == "__main__":
    main()
