"""
The processor time of a process at its start, and up to its first prediction, medians of rounds in turn; and that of one
sentence in a process that runs already. Then the packages whose imports take most of the start, by
`python -X importtime`.

    python -m benchmarks.start ARCHIVE [--repeats 5]
"""

import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Dict, List

from benchmarks.measuring import processor_time, run
from experiments.common import argument_parser, markdown
from nerzoo.inference.tagger import Tagger

SENTENCE = "Mara Quill lived in Calder."
TAGGER = "import sys, nerzoo; nerzoo.Tagger.load(sys.argv[1], engine='torch')(sys.argv[2])"
NUM_PACKAGES = 12
NUM_PREDICTIONS = 300


def processes(archive: str, inputs: str) -> Dict[str, List[str]]:
    """The arguments of each process."""
    predict = ["predict", archive, inputs, "--silent", "--output-file", os.devnull, "--include-package", "nerzoo"]
    return {
        "`import torch`": ["-c", "import torch"],
        "`allennlp --help`": ["-m", "allennlp", "--help"],
        "`nerzoo --help`": ["-m", "nerzoo", "--help"],
        "`allennlp predict`, one sentence": ["-m", "allennlp", *predict],
        "`nerzoo predict`, one sentence": ["-m", "nerzoo", *predict],
        "`nerzoo.Tagger`, one sentence": ["-c", TAGGER, archive, SENTENCE],
    }


def in_a_running_process(archive: str) -> float:
    """Seconds of processor time for a sentence, a median."""
    tagger = Tagger.load(archive, engine="torch")
    return statistics.median(
        processor_time(lambda: tagger({"words": SENTENCE.split()})) for _ in range(NUM_PREDICTIONS)
    )


def imports(*arguments: str) -> Dict[str, float]:
    """Seconds that the modules of each package take to import, without what they import in turn."""
    command = [sys.executable, "-X", "importtime", *arguments]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    seconds: Counter = Counter()
    for microseconds, name in re.findall(r"^import time: +(\d+) \| +\d+ \| +(\S+)$", said, re.MULTILINE):
        seconds[name.partition(".")[0]] += int(microseconds) / 1e6
    return seconds


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("archive")
    parser.add_argument("--repeats", type=int, default=5)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        inputs = Path(folder, "sentence.jsonl")
        inputs.write_text(f'{{"sentence": "{SENTENCE}"}}\n')
        commands = processes(args.archive, str(inputs))
        rounds = [{name: run(*command).processor for name, command in commands.items()} for _ in range(args.repeats)]
    rows = [[name, f"{statistics.median(seconds[name] for seconds in rounds):.2f}"] for name in commands]
    rows.append(["the same in a running process", f"{in_a_running_process(args.archive):.4f}"])
    print(markdown(["process", "processor time, s"], rows))

    columns = [imports("-m", name, "--help") for name in ("allennlp", "nerzoo")]
    packages = sorted(set().union(*columns), key=lambda name: -max(column.get(name, 0) for column in columns))
    rows = [[name, *(f"{column.get(name, 0):.2f}" for column in columns)] for name in packages[:NUM_PACKAGES]]
    rows.append(["all", *(f"{sum(column.values()):.2f}" for column in columns)])
    print("\n" + markdown(["package, imported by", "`allennlp --help`, s", "`nerzoo --help`, s"], rows))


if __name__ == "__main__":
    main()
