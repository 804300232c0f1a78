"""
The gate of words by how often training had them, from the configuration of a run and the output of `allennlp predict`
with -o '{"model.extra_outputs": ["gate_features"]}': near 1 the word's own vector counts, near 0 its characters do
(Rei, Crichton and Pyysalo, 2016).

    python -m experiments.gate_by_frequency SERIALIZATION_DIR/config.json PREDICTIONS.jsonl [--vectors FILE]
        [--bounds 1 2 5 20 100]

The groups are those of `experiments.word_frequency`; with the file of vectors that the model reads, words that neither
training nor that file has are a group of their own. For each group there is the mean over words and features, and the
correlation over features with the gate of the most frequent words: near 1 the same features are the word's own. The
last line is the rank correlation of gate and frequency over tokens.
"""

from pathlib import Path
from typing import Any, Collection, Dict, Iterable, List, Mapping, Optional, Sequence

import numpy
from scipy.stats import spearmanr

from experiments.common import argument_parser, markdown, read
from experiments.unseen_words import read_config, training_words
from nerzoo.reports.groupings import BOUNDS, by_frequency, group_names

UNKNOWN = "0, no vector"
Gates = Dict[str, List[List[float]]]


def gates(
    predictions: Iterable[Dict[str, Any]],
    frequencies: Mapping[str, int],
    bounds: Sequence[int],
    vectors: Optional[Collection[str]] = None,
) -> Gates:
    """The gates of the words of each group. `vectors` are the words that have one, in lower case."""
    group = by_frequency(frequencies, bounds)
    names = [*([] if vectors is None else [UNKNOWN]), *group_names(bounds)]
    found: Gates = {name: [] for name in names}
    for sentence in predictions:
        for word, gate in zip(sentence["words"], sentence["gate_features"], strict=True):
            is_unknown = vectors is not None and word not in frequencies and word.lower() not in vectors
            found[UNKNOWN if is_unknown else group([word])].append(gate)
    return found


def correlation(predictions: Iterable[Dict[str, Any]], frequencies: Mapping[str, int]) -> float:
    """Spearman's rank correlation of frequency and mean gate, over all tokens."""
    pairs = [
        (frequencies.get(word, 0), sum(gate) / len(gate))
        for sentence in predictions
        for word, gate in zip(sentence["words"], sentence["gate_features"], strict=True)
    ]
    return float(spearmanr(*zip(*pairs, strict=True)).statistic)


def table(groups: Gates) -> str:
    """A table of numbers, means, standard deviations over words, and correlations over features."""
    frequent = [gates for gates in groups.values() if gates][-1]
    rows = []
    for name, found in groups.items():
        cells = [name, str(len(found)), "–", "–"]
        if found:
            means = numpy.mean(found, 1)
            cells[2] = f"{means.mean():.3f} ± {means.std():.3f}"
            cells[3] = f"{numpy.corrcoef(numpy.mean(found, 0), numpy.mean(frequent, 0))[0, 1]:.2f}"
        rows.append(cells)
    return markdown(["times in training", "words", "gate", "features as of frequent words"], rows)


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("config", type=read_config)
    parser.add_argument("predictions", type=Path)
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--bounds", type=int, nargs="+", default=BOUNDS)
    args = parser.parse_args()
    frequencies = training_words(args.config)
    predictions = read(args.predictions, ("words", "gate_features"))
    vectors = None
    if args.vectors:
        with args.vectors.open(encoding="utf-8") as file:
            vectors = {line.split(" ", 1)[0] for line in file}
    print(table(gates(predictions, frequencies, args.bounds, vectors)))
    print(f"\nrank correlation of gate and frequency: {correlation(predictions, frequencies):.3f}")


if __name__ == "__main__":
    main()
