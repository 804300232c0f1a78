"""
Prints the Markdown tables of the runs that `experiments.run_tables` left for a table: one for each of its evaluations,
or one for its folds.

    DATA=FOLDER python -m experiments.tabulate TABLE ...

Scores are means and standard deviations over seeds; of folds, a seed's score is the mean over the folds. Differences
are those of each row to the reference row, with their 95 % intervals, and p values over sentences and seeds, as
`allennlp compare` has them, after Holm's correction over the rows; with folds, they are of the predictions for all
data. Parameters are those that are trained; epochs and minutes are means, too, with folds those of the first one. What
is not there yet, stands below the table.

Of the table's options, `metric` is what is compared; `columns` are the metrics that stand in the table, which `metric`
decides by default; and `order` is that of the rows, by default that of the alphabet.
"""

import argparse
import json
import os
import statistics
import tempfile
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional

from allennlp.common import Params

from experiments.run_tables import Run, read_table, runs_of
from nerzoo.evaluation.comparison import compare
from nerzoo.evaluation.sentence_counts import METRICS

COLUMNS = {
    "f1": ["precision", "recall", "f1"],
    "f0.5": ["precision", "recall", "f0.5"],
    "cer": ["accuracy", "f1", "cer"],
    "joint_f1": ["link_f1", "act_f1", "joint_f1", "joint_thread_accuracy"],
}
TITLES = {"f1": "F1", "f0.5": "F0.5", "cer": "CER"}
FOLDS = "folds"
VALIDATION = "best_validation_"
NONE = "–"


def tables(table: str) -> str:
    """The Markdown of all evaluations of a table."""
    specification = read_table(table)
    evaluations = [FOLDS] if FOLDS in specification else list(specification["evaluations"])
    runs = list(runs_of(table))
    parts = [f"{evaluation}:\n\n{markdown(specification, runs, evaluation)}" for evaluation in evaluations]
    missing = [str(run) for run in runs if not _is_done(run)]
    if missing:
        parts.append(f"Missing, {len(missing)} of {len(runs)} runs:\n\n" + "\n".join(f"- {run}" for run in missing))
    return "\n\n".join(parts)


def markdown(specification: Dict[str, Any], runs: List[Run], evaluation: str) -> str:
    """The table of one evaluation, or of `"folds"`."""
    metric, reference = specification["metric"], specification.get("reference")
    columns = specification.get("columns", COLUMNS.get(metric, [metric]))
    header = ["", "parameters", "seeds", "best epoch", "minutes", f"development {_title(metric)}"]
    header += map(_title, columns)
    if reference is not None:
        header += [f"difference to `{reference}`", "95 % interval", "p"]
    of_rows = {row: [run for run in runs if run.row == row] for row in specification["order"]}
    done = {row: list(filter(_is_done, of_row)) for row, of_row in of_rows.items()}
    differences = {}
    if reference is not None and metric in METRICS:
        compared = {row: of_row for row, of_row in done.items() if row != reference}
        differences = {
            row: difference
            for row, of_row in compared.items()
            if (difference := _difference(of_row, done[reference], evaluation, metric)) is not None
        }
    p_values = dict(zip(differences, holm([each["p_value"] for each in differences.values()]), strict=True))
    lines = [header, ["---"] * len(header)]
    for row, of_row in done.items():
        of_all = len(of_rows[row])
        cells = [
            f"`{row}`",
            _over_seeds(of_row, lambda run: _summary(run)["parameters"], "{:,.0f}"),
            str(of_all) if len(of_row) == of_all else f"{len(of_row)} of {of_all}",
            _over_seeds(of_row, lambda run: _summary(run)["best_epoch"], "{:.0f}"),
            _over_seeds(of_row, lambda run: _summary(run)["seconds"] / 60, "{:.1f}"),
        ]
        for name in (f"{VALIDATION}{metric}", *columns):
            cells.append(_over_seeds(of_row, lambda run, name=name: _score(run, evaluation, name), "{:.2f}", True))
        if row in differences:
            low, high = (_scaled(bound, metric) for bound in differences[row]["difference"]["confidence_interval"])
            cells.append(f"{_scaled(differences[row]['difference']['score'], metric):+.2f}")
            cells += [f"{low:+.2f} to {high:+.2f}", f"{p_values[row]:.4f}"]
        elif reference is not None:
            cells += [NONE] * 3
        lines.append(cells)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def holm(p_values: List[float]) -> List[float]:
    """p values after Holm's correction for as many tests (Holm, 1979)."""
    corrected, largest = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = largest
    return corrected


def _difference(runs: List[Run], others: List[Run], evaluation: str, metric: str) -> Optional[Dict[str, Any]]:
    paths, others_paths = ([str(_predictions(run, evaluation)) for run in each] for each in (runs, others))
    if not (paths and others_paths and all(map(os.path.exists, paths + others_paths))):
        return None
    # Where entities are nested, a tagger's gold tags have the outermost alone, and the spans of others have no tags.
    untagged = [run for run, path in zip(runs + others, paths + others_paths, strict=True) if not _has_gold(path)]
    if not untagged:
        return compare(paths, others_paths, metric)
    overrides = json.dumps(_evaluation(untagged[0], evaluation).get("overrides", {}))
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "config.json"
        Params.from_file(_config(untagged[0]), overrides).to_file(config)
        return compare(paths, others_paths, metric, _data(untagged[0], evaluation), str(config))


def _has_gold(path: str) -> bool:
    with open(path, encoding="utf-8") as file:
        prediction = json.loads(file.readline())
    return "gold_tags" in prediction or "posts" in prediction


def _data(run: Run, evaluation: str) -> str:
    if evaluation == FOLDS:
        paths = json.loads(_config(run).read_text())["train_data_path"]
        return paths if isinstance(paths, str) else paths[0]
    return os.path.join(os.environ["DATA"], _evaluation(run, evaluation)["data"])


def _evaluation(run: Run, name: str) -> Dict[str, Any]:
    return run.specification.get("evaluations", {}).get(name, {})


def _config(run: Run) -> Path:
    return run.folder / "train" / "config.json"


def _predictions(run: Run, evaluation: str) -> Path:
    return run.folder / ("train/predictions.jsonl" if evaluation == FOLDS else f"{evaluation}.jsonl")


def _is_done(run: Run) -> bool:
    return (run.folder / "done.json").exists()


def _summary(run: Run) -> Dict[str, Any]:
    return json.loads((run.folder / "done.json").read_text())


def _score(run: Run, evaluation: str, name: str) -> Optional[float]:
    """A metric of an evaluation, or, if its name says so, of the development part or folds."""
    if evaluation == FOLDS:
        summary = json.loads((run.folder / "train" / "cross_validation.json").read_text())
        kind = "validation_metrics" if name.startswith(VALIDATION) else "metrics"
        value = summary.get(kind, {}).get(name.removeprefix(VALIDATION), {}).get("mean")
    elif name.startswith(VALIDATION):
        value = json.loads((run.folder / "train" / "metrics.json").read_text()).get(name)
    else:
        value = json.loads((run.folder / f"{evaluation}.json").read_text()).get(name)
    return None if value is None else _scaled(value, name)


def _scaled(value: float, metric: str) -> float:
    """All metrics but perplexities are percentages."""
    return value if metric.endswith("perplexity") else 100 * value


def _over_seeds(
    runs: List[Run], value: Callable[[Run], Optional[float]], form: str, with_deviation: bool = False
) -> str:
    values = [each for run in runs if (each := value(run)) is not None]
    if not values:
        return NONE
    mean = form.format(statistics.mean(values))
    return f"{mean} ± {form.format(statistics.stdev(values))}" if with_deviation and len(values) > 1 else mean


def _title(metric: str) -> str:
    return TITLES.get(metric, metric.replace("_f1", " F1").replace("_", " "))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="+", metavar="TABLE")
    for table in parser.parse_args().tables:
        print(f"{table}, {tables(table)}\n")


if __name__ == "__main__":
    main()
