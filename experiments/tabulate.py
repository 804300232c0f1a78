"""
Prints the Markdown tables of the records that `experiments.run_tables` made for a table: one for each of its
evaluations, or one for its folds.

    DATA=FOLDER python -m experiments.tabulate TABLE ...

Scores are means and standard deviations over seeds; of folds, a seed's score is the mean over the folds. Differences
are those of each row to the reference row, with their 95 % intervals, and p values over sentences and seeds, as
`allennlp compare` has them, after Holm's correction over the rows; with folds, they are of the predictions for all
data. Parameters are those that are trained; epochs and minutes are means, too, with folds those of the first one. Below
the table stand the runs that are missing, and those whose configuration or evaluations have changed since they were
made: an evaluation that came later has no scores of them.

Of the table's options, `metric` is what is compared; `columns` are the metrics that stand in the table, which `metric`
decides by default; `order` is that of the rows, by default that of the alphabet; and after the epochs of `curves`
another table has the loss of training and the metric on the development part, means over the seeds that came so far. A
row whose loss is the sum over a batch says so in `sentences_per_loss`.
"""

import argparse
import statistics
from functools import partial
from typing import Any, Callable, Dict, List, Optional

import numpy

from experiments.records import TRAINING_LOSS, counts_of
from experiments.runs import Run, read_table, runs_of
from nerzoo.evaluation.significance import Significance, holm, paired_significance

COLUMNS = {
    "f1": ["precision", "recall", "f1"],
    "f0.5": ["precision", "recall", "f0.5"],
    "cer": ["accuracy", "f1", "cer"],
    "joint_f1": ["link_f1", "act_f1", "joint_f1", "joint_thread_accuracy"],
}
TITLES = {"f1": "F1", "f0.5": "F0.5", "cer": "CER"}
DEVELOPMENT = "development "
NONE = "–"


def tables(table: str) -> str:
    """The Markdown of all evaluations of a table."""
    specification = read_table(table)
    runs = list(runs_of(table))
    parts = [f"{evaluation}:\n\n{markdown(specification, runs, evaluation)}" for evaluation in runs[0].evaluations]
    if "curves" in specification:
        parts.append(f"curves:\n\n{curves(specification, runs)}")
    missing = [str(run) for run in runs if not run.is_done]
    if missing:
        parts.append(f"Missing, {len(missing)} of {len(runs)} runs:\n\n" + "\n".join(f"- {run}" for run in missing))
    changed = [str(run) for run in runs if run.is_done and run.record["fingerprint"] != run.fingerprint]
    if changed:
        title = "Made with another configuration, or other evaluations, than today's:"
        parts.append(f"{title}\n\n" + "\n".join(f"- {run}" for run in changed))
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
    done = {row: list(filter(lambda run: run.is_done, of_row)) for row, of_row in of_rows.items()}
    differences = {}
    if reference is not None:
        compared = {row: of_row for row, of_row in done.items() if row != reference}
        differences = {
            row: difference
            for row, of_row in compared.items()
            if (difference := _difference(of_row, done[reference], evaluation)) is not None
        }
    p_values = dict(zip(differences, holm([each.p_value for each in differences.values()]), strict=True))
    lines = [header, ["---"] * len(header)]
    for row, of_row in done.items():
        of_all = len(of_rows[row])
        cells = [
            f"`{row}`",
            _over_seeds(of_row, lambda run: run.record["parameters"], "{:,.0f}"),
            str(of_all) if len(of_row) == of_all else f"{len(of_row)} of {of_all}",
            _over_seeds(of_row, lambda run: run.record["best_epoch"], "{:.0f}"),
            _over_seeds(of_row, lambda run: run.record["seconds"] / 60, "{:.1f}"),
        ]
        for name in (f"{DEVELOPMENT}{metric}", *columns):
            cells.append(_over_seeds(of_row, partial(_score, evaluation=evaluation, name=name), "{:.2f}", True))
        if row in differences:
            low, high = (_scaled(bound, metric) for bound in differences[row].difference_interval)
            cells.append(f"{_scaled(differences[row].difference, metric):+.2f}")
            cells += [f"{low:+.2f} to {high:+.2f}", f"{p_values[row]:.4f}"]
        elif reference is not None:
            cells += [NONE] * 3
        lines.append(cells)
    return _as_markdown(lines)


def curves(specification: Dict[str, Any], runs: List[Run]) -> str:
    """The table of what training has come to after some epochs."""
    epochs, metric = specification["curves"], specification["metric"]
    lines = [["after epoch", *map(str, epochs)], ["---"] * (1 + len(epochs))]
    for name, title in ((TRAINING_LOSS, "loss of training"), (metric, f"{DEVELOPMENT}{_title(metric)}")):
        for row in specification["order"]:
            of_row = [run for run in runs if run.row == row and run.is_done]
            if of_row:
                cells = [_over_seeds(of_row, partial(_after, name=name, epoch=epoch), "{:.2f}") for epoch in epochs]
                lines.append([f"`{row}`, {title}", *cells])
    return _as_markdown(lines)


def _after(run: Run, name: str, epoch: int) -> Optional[float]:
    values = run.record.get("curves", {}).get(name, [])[epoch - 1 :]
    if not values:
        return None
    return values[0] / run.sentences_per_loss if name == TRAINING_LOSS else _scaled(values[0], name)


def _difference(runs: List[Run], others: List[Run], evaluation: str) -> Optional[Significance]:
    first, second = _counts(runs, evaluation), _counts(others, evaluation)
    return None if first is None or second is None else paired_significance(first, second)


def _counts(runs: List[Run], evaluation: str) -> Optional[numpy.ndarray]:
    """The counts of S runs, (S, N, 2), if all have them."""
    counts = [counts_of(run.record["evaluations"].get(evaluation, {})) for run in runs]
    found = [of_run for of_run in counts if of_run is not None]
    return numpy.stack(found) if found and len(found) == len(counts) else None


def _score(run: Run, evaluation: str, name: str) -> Optional[float]:
    """A metric of an evaluation, or, if its name says so, of the development part or folds."""
    if name.startswith(DEVELOPMENT):
        metrics, name = run.record["development"], name.removeprefix(DEVELOPMENT)
    else:
        metrics = run.record["evaluations"].get(evaluation, {}).get("metrics", {})
    return None if name not in metrics else _scaled(metrics[name], name)


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


def _as_markdown(lines: List[List[str]]) -> str:
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _title(metric: str) -> str:
    return TITLES.get(metric, metric.replace("_f1", " F1").replace("_", " "))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="+", metavar="TABLE")
    for table in parser.parse_args().tables:
        print(f"{table}, {tables(table)}\n")


if __name__ == "__main__":
    main()
