"""
`nerzoo tag` over short texts, each run as a user starts it: in its one process, by one and by two worker processes,
and by one and by two actors of Ray, all with one thread. Writes a table in Markdown: how long one text takes; the rate
between the first two sizes, in words of real time and of the processor time of the main process, which reads and
writes; and the most memory of all processes together, pages that several of them share counted once. The last size is
for two workers or actors alone.

    python -m benchmarks.scale output/ner/model.tar.gz [--sizes 10000 100000 1000000]
"""

import os
import subprocess
import sys
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Tuple

from experiments.common import argument_parser
from nerzoo.formats.columns import ColumnsCorpus

SETTINGS: Dict[str, List[str]] = {
    "one process": [],
    "`--workers 1`": ["--workers", "1"],
    "`--workers 2`": ["--workers", "2"],
    "`--ray --workers 1`": ["--workers", "1", "--ray"],
    "`--ray --workers 2`": ["--workers", "2", "--ray"],
}
LARGEST = ("`--workers 2`", "`--ray --workers 2`")
SENTENCES, MAX_WORDS = "fixtures/people_and_places/train.txt", 6
INTERVAL = 0.5
"""Between looks at the processes, in seconds."""


class Run(NamedTuple):
    """Seconds of real time; seconds of the main process alone on a processor; the most memory, in GiB."""

    seconds: float
    main_seconds: float
    memory: float


def write_texts(path: Path, size: int) -> int:
    """Writes so many short sentences, a line each; returns their number of words."""
    parts = (sentence.words for document in ColumnsCorpus().read(SENTENCES) for sentence in document.sentences)
    short = [words for words in parts if len(words) <= MAX_WORDS]
    with path.open("w", encoding="utf-8") as file:
        file.writelines(" ".join(words) + "\n" for words in islice(cycle(short), size))
    return sum(map(len, islice(cycle(short), size)))


def run(archive: str, texts: Path, arguments: List[str]) -> Run:
    output = texts.with_suffix(".jsonl")
    command = [sys.executable, "-m", "allennlp", "tag", archive, str(texts), "--output-file", str(output), "--force"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    main_seconds = memory = 0.0
    with tempfile.TemporaryFile() as messages:
        start = time.perf_counter()
        process = subprocess.Popen([*command, *arguments], env=environment, stdout=messages, stderr=messages)
        while True:
            try:
                process.wait(INTERVAL)
                break
            except subprocess.TimeoutExpired:
                main_seconds = processor_seconds(process.pid)
                memory = max(memory, sum(map(proportional_memory, family(process.pid))))
        seconds = time.perf_counter() - start
        if process.returncode != 0:
            messages.seek(0)
            raise RuntimeError(f"{' '.join(command + arguments)}: {messages.read().decode()}")
    with output.open() as lines, texts.open() as expected:
        if sum(1 for _ in lines) != sum(1 for _ in expected):
            raise RuntimeError(f"{' '.join(command + arguments)}: lines are missing")
    return Run(seconds, main_seconds, memory / 2**30)


def family(ancestor: int) -> Iterator[int]:
    """The process and all that descend from it."""
    found = {ancestor}
    # A child has a higher number than its parent, but for the rare case that numbers begin anew.
    for process in sorted(int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()):
        fields = stat(process)
        if process == ancestor or (fields and int(fields[1]) in found):
            found.add(process)
            yield process


def stat(process: int) -> List[str]:
    """The fields of /proc/PID/stat after the name of a process; none if it has ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def processor_seconds(process: int) -> float:
    return sum(map(int, stat(process)[11:13])) / os.sysconf("SC_CLK_TCK")


def proportional_memory(process: int) -> int:
    """Bytes, of which those of a page that several processes share count in part for each."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def row(name: str, archive: str, texts: List[Tuple[Path, int]]) -> str:
    runs = []
    for path, num_words in texts:
        runs.append(run(archive, path, SETTINGS[name]))
        print(f"{name}, {num_words} words: {runs[-1]}", file=sys.stderr)
    one, small, large = runs[:3]
    num_words = texts[2][1] - texts[1][1]
    rates = [num_words / (large.seconds - small.seconds), num_words / (large.main_seconds - small.main_seconds)]
    cells = [f"{one.seconds:.1f}", *(f"{rate:,.0f}" for rate in rates), *(f"{run.memory:.2f}" for run in runs[1:])]
    return " | ".join([f"| {name}", *cells, *["-"] * (len(runs) == 3), ""]).rstrip()


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("archive")
    parser.add_argument("--sizes", type=int, nargs=3, default=[10_000, 100_000, 1_000_000])
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        texts = []
        for size in [1, *args.sizes]:
            path = Path(folder, f"{size}.txt")
            texts.append((path, write_texts(path, size)))
        sizes = " | ".join(f"GiB, {size:,} texts" for size in args.sizes)
        rows = [row(name, args.archive, texts if name in LARGEST else texts[:3]) for name in SETTINGS]
    print(f"| `nerzoo tag` | one text, s | words/s | main process, words/s | {sizes} |")
    print("|---|---|---|---|---|---|---|")
    print("\n".join(rows))


if __name__ == "__main__":
    main()
