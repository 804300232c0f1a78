"""
Gains of the zoo's English model for types of one's own: taggers trained on the 100 or 200 sentences of each domain of
CrossNER, from nothing, from GloVe's vectors, and from the model.

    DATA=FOLDER python -m experiments.fine_tuning --vectors output/glove.100d.txt [--seeds 3]

All have the training of ner.jsonnet. The development part chooses the epoch. Folders are
output/fine_tuning/DOMAIN/START-SEED/; the same command goes on after the runs that are done.
"""

import os
import statistics
from pathlib import Path
from typing import Any, Dict, Iterator, List

from experiments.common import argument_parser, corpus, markdown, train_for_metrics
from nerzoo.configuration.check import read_configuration
from nerzoo.files import read_run_file
from nerzoo.runs.runner import TrainingRun, run_in_turn
from nerzoo.runs.train_options import fine_tuned
from nerzoo.zoo.finding import folder_of

CONFIG = "training_config/ner.jsonnet"
DOMAINS = ("ai", "literature", "music", "politics", "science")
STARTS = ("nothing", "vectors", "en")


def fine_tuning_runs(output: Path, vectors: str, seeds: int, overrides: Dict[str, Any]) -> Iterator[TrainingRun]:
    """Yields the runs of each domain, each start and each seed."""
    for domain in DOMAINS:
        files = {part: corpus(f"crossner/{domain}/{part}.txt.gz") for part in ("train", "dev", "test")}
        for start in STARTS:
            os.environ["WORD_VECTORS"] = vectors if start == "vectors" else ""
            for seed in range(1, seeds + 1):
                params = read_configuration(
                    CONFIG,
                    {
                        "train_data_path": files["train"],
                        "validation_data_path": files["dev"],
                        "test_data_path": files["test"],
                        "evaluate_on_test": True,
                        "trainer.checkpointer": {"save_completed_epochs": False},
                        **{f"{name}seed": seed for name in ("random_", "numpy_", "pytorch_")},
                        **overrides,
                    },
                )
                if start == "en":
                    params = fine_tuned(params, folder_of("en"))
                folder = output / domain / f"{start}-{seed}"
                yield TrainingRun(f"{domain}, {start}, seed {seed}", folder, folder / "metrics.json", params)


def fine_tuning_table(scores: Dict[str, Dict[str, List[float]]]) -> str:
    """Returns means and standard deviations of F1 by domain and start, and the gain of `en` over both others."""
    rows = []
    for domain, by_start in {**scores, "all": _means_by_seed(scores)}.items():
        cells = [f"{statistics.mean(f1):.1f} ± {statistics.stdev(f1):.1f}" for f1 in by_start.values()]
        gains = [statistics.mean(by_start["en"]) - statistics.mean(by_start[start]) for start in STARTS[:-1]]
        rows.append([domain, *cells, *(f"{gain:+.1f}" for gain in gains)])
    return markdown(["domain", *STARTS, "gain over nothing", "over vectors"], rows)


def _means_by_seed(scores: Dict[str, Dict[str, List[float]]]) -> Dict[str, List[float]]:
    columns = {start: zip(*(by_start[start] for by_start in scores.values()), strict=True) for start in STARTS}
    return {start: [statistics.mean(seeds) for seeds in column] for start, column in columns.items()}


def fine_tuning_scores(runs: List[TrainingRun]) -> Dict[str, Dict[str, List[float]]]:
    """Does the missing runs. Returns F1 on the test part, in percent, of each domain, start and seed."""

    def read(path: Path) -> float:
        return 100 * read_run_file(path, dict)["test_f1"]

    scores: Dict[str, Dict[str, List[float]]] = {}
    for run, f1 in zip(runs, run_in_turn(runs, train_for_metrics, read, "F1 {:.1f}".format), strict=True):
        domain, start = run.folder.parent.name, run.folder.name.rpartition("-")[0]
        scores.setdefault(domain, {}).setdefault(start, []).append(f1)
    return scores


def main() -> None:
    parser = argument_parser(__doc__ or "")
    parser.add_argument("--vectors", required=True, help="file of word vectors of 100 numbers")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--output", type=Path, default=Path("output/fine_tuning"))
    args = parser.parse_args()
    runs = list(fine_tuning_runs(args.output, args.vectors, args.seeds, {}))
    print(fine_tuning_table(fine_tuning_scores(runs)))


if __name__ == "__main__":
    main()
