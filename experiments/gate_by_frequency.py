"""
The gate of words by how often training had them, from the configuration of a run and what `allennlp predict` writes
with -o '{"model.extra_outputs": ["gate"]}': near 1 the word's own vector counts, near 0 its characters do (Rei,
Crichton and Pyysalo, 2016).

    python -m experiments.gate_by_frequency SERIALIZATION_DIR/config.json PREDICTIONS.jsonl [--bounds 1 2 5 20 100]

The groups are those of `experiments.word_frequency`. Beside them is the rank correlation over tokens of the gate with
the frequency.
"""

import argparse
import statistics
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, Sequence

from allennlp.common import Params
from scipy.stats import spearmanr

from experiments.repeated_mentions import read
from experiments.unseen_words import training_words
from experiments.word_frequency import BOUNDS, by_frequency, group_names


def gates(
    predictions: Iterable[Dict[str, Any]], frequencies: Mapping[str, int], bounds: Sequence[int]
) -> Dict[str, List[float]]:
    """The gates of the words of each group."""
    group = by_frequency(frequencies, bounds)
    found: Dict[str, List[float]] = {name: [] for name in group_names(bounds)}
    for sentence in predictions:
        for word, gate in zip(sentence["words"], sentence["gate"], strict=True):
            found[group([word])].append(gate)
    return found


def correlation(predictions: Iterable[Dict[str, Any]], frequencies: Mapping[str, int]) -> float:
    """Spearman's rank correlation of frequency and gate, over all tokens."""
    pairs = [
        (frequencies.get(word, 0), gate)
        for sentence in predictions
        for word, gate in zip(sentence["words"], sentence["gate"], strict=True)
    ]
    return float(spearmanr(*zip(*pairs, strict=True)).statistic)


def table(groups: Dict[str, List[float]]) -> str:
    """A Markdown table of number, mean and standard deviation."""
    lines = ["| times in training | words | gate |", "|---|---|---|"]
    for name, values in groups.items():
        mean = f"{statistics.mean(values):.3f} ± {statistics.pstdev(values):.3f}" if values else "–"
        lines.append(f"| {name} | {len(values)} | {mean} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", type=Path)
    parser.add_argument("predictions", type=Path)
    parser.add_argument("--bounds", type=int, nargs="+", default=BOUNDS)
    args = parser.parse_args()
    frequencies = training_words(Params.from_file(args.config).as_dict(quiet=True))
    predictions = read(args.predictions, ("words", "gate"))
    print(table(gates(predictions, frequencies, args.bounds)))
    print(f"\nrank correlation of gate and frequency: {correlation(predictions, frequencies):.3f}")


if __name__ == "__main__":
    main()
