"""
Prints the Markdown tables of the records that `experiments.run_tables` made for a table: one for each of its
evaluations, or one for its folds.

    DATA=FOLDER python -m experiments.tabulate TABLE ...
    DATA=FOLDER python -m experiments.tabulate --pages docs/results/*.md
    DATA=FOLDER python -m experiments.tabulate --difference TABLE/ROW TABLE/ROW

The third command compares two rows, perhaps of two tables. The second one renews the tables in pages. A table in a page
stands between two comments:

    <!-- experiments.tabulate: TABLE, EVALUATION -->
    <!-- end -->

The table `claims` has the main claim of each paper, from experiments/claims.jsonnet, and what the records say to it.
The table `missing` has the runs of all tables that have no record, and the hours that they take on a core.

Scores are means and standard deviations over seeds; with folds, the score of a seed is the mean over the folds.
Differences are those between each row and the reference row, with 95 % intervals, and p values over sentences and
seeds, as in `nerzoo compare`, after Holm's correction over the rows; with folds, they are of the predictions for all
data. They are in points; for a perplexity, they are a hundred times those of the mean logarithm of the probability of a
word: one point is about a per cent of the perplexity. Parameters are those that are trained; epochs and minutes are
means, too, with folds those of the first one. A row with one seed is a pilot. Records of another configuration, or of
other evaluations, than today's are left out. Below the table are the runs that are missing.

Options of a table: `metric` is compared; with `by_document`, p values and intervals are over documents; `columns` are
the metrics in the table, by default those that belong to `metric`; `order` is the order of the rows, by default
alphabetical; another table has the loss of training and the metric on the development part after the epochs of
`curves`, means over the seeds that came so far. A row whose loss is the sum over a batch has that number of sentences
in `sentences_per_loss`. With `rates`, rows are called ROW-RATE, and another table has the metric on the development
part by row and learning rate; with `trained`, the first seed of the same rows in another table counts, too, as the
learning rate that they have there.
"""

import json
import math
import re
import statistics
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy
from allennlp.common.checks import ConfigurationError
from rjsonnet import evaluate_file

from experiments.common import argument_parser, markdown
from experiments.records import TRAINING_LOSS, read_counts
from experiments.runs import FOLDS, TABLES, TableRun, read_table, runs_named, table_runs
from nerzoo.evaluation.significance import Significance, difference_interval, holm, significances
from nerzoo.files import write_text

COLUMNS = {
    "f1": ["precision", "recall", "f1"],
    "f0.5": ["precision", "recall", "f0.5"],
    "cer": ["accuracy", "f1", "cer"],
    "joint_f1": ["link_f1", "act_f1", "joint_f1", "joint_thread_accuracy"],
}
TITLES = {"f1": "F1", "f0.5": "F0.5", "cer": "CER"}
DEVELOPMENT = "development "
_LEVEL = 1.0
"""The largest difference, in points, of systems that are called level."""
NONE = "–"
CLAIMS = "claims"
CURVES = "curves"
MISSING = "missing"
RATES = "rates"

_TABLE_IN_PAGE = re.compile(
    r"(?P<start><!-- experiments\.tabulate: (?P<table>[^,]+), (?P<name>.+) -->)(?s:.*?)(?P<end><!-- end -->)"
)


def tables(table: str) -> Dict[str, str]:
    """
    Returns the Markdown of all tables by the names of their evaluations, `CURVES` for the state of training after some
    epochs, `RATES` for learning rates, and `MISSING` for the runs without a record.
    """
    return {name: part() for name, part in _parts(table).items()}


def with_tables(page: str) -> str:
    """Returns a page with its tables renewed."""
    parts = {table: _parts(table) for table in sorted({found["table"] for found in _TABLE_IN_PAGE.finditer(page)})}

    def renewed(found: "re.Match[str]") -> str:
        table, name = found["table"], found["name"]
        if name not in parts[table]:
            raise ConfigurationError(f"{table}: found no table {name}, expected one of {', '.join(parts[table])}")
        return f"{found['start']}\n\n{parts[table][name]()}\n\n{found['end']}"

    return _TABLE_IN_PAGE.sub(renewed, page)


def _parts(table: str) -> Dict[str, Callable[[], str]]:
    """Functions that make the tables of `tables`: most pages have only some of them."""
    if table == CLAIMS:
        return {"answers": answers}
    if table == MISSING:
        return {"runs": missing_runs}
    specification = read_table(table)
    runs = list(table_runs(table))
    parts: Dict[str, Callable[[], str]] = {
        evaluation: partial(scores, specification, runs, evaluation) for evaluation in runs[0].evaluations
    }
    if CURVES in specification:
        parts[CURVES] = partial(curves, specification, runs)
    if RATES in specification:
        parts[RATES] = partial(rates, specification, runs)
    missing = [run.name for run in runs if not run.is_done]
    if missing:
        parts[MISSING] = partial(_listed, missing, len(runs))
    return parts


def _listed(missing: List[str], total: int) -> str:
    return f"{len(missing)} of {total} runs:\n\n" + "\n".join(f"- {run}" for run in missing)


def scores(specification: Dict[str, Any], runs: List[TableRun], evaluation: str) -> str:
    """The table of one evaluation, or of `"folds"`."""
    metric, reference = specification["metric"], specification.get("reference")
    columns = specification.get("columns", COLUMNS.get(metric, [metric]))
    header = ["", "parameters", "seeds", "best epoch", "minutes", f"development {_title(metric)}"]
    header += map(_title, columns)
    if reference is not None:
        header += [f"difference to `{reference}`", "95 % interval", "p (Holm)"]
    done = {row: [run for run in runs if run.row == row and run.is_done] for row in specification["order"]}
    all_counts = {row: _counts(found, evaluation) for row, found in done.items()}
    counts = {row: found for row, found in all_counts.items() if found is not None}
    differences: Dict[str, Significance] = {}
    if reference in counts:
        compared = [row for row in counts if row != reference]
        found_differences = significances([counts[row] for row in compared], counts[reference])
        differences = dict(zip(compared, found_differences, strict=True))
    p_values = dict(zip(differences, holm([each.p_value for each in differences.values()]), strict=True))
    lines = []
    for row, found in done.items():
        total = sum(run.row == row for run in runs)
        cells = [
            f"`{row}`",
            _over_seeds(found, lambda run: run.record["parameters"], "{:,.0f}"),
            str(total) if len(found) == total else f"{len(found)} of {total}",
            _over_seeds(found, lambda run: run.record["best_epoch"], "{:.0f}"),
            _over_seeds(found, lambda run: run.record["seconds"] / 60, "{:.1f}"),
        ]
        for name in (f"{DEVELOPMENT}{metric}", *columns):
            cells.append(_over_seeds(found, partial(_score, evaluation=evaluation, name=name), "{:.2f}", True))
        if row in differences:
            low, high = (100 * bound for bound in differences[row].difference_interval)
            cells.append(f"{100 * differences[row].difference:+.2f}")
            cells += [f"{low:+.2f} to {high:+.2f}", f"{p_values[row]:.4f}"]
        elif reference is not None:
            cells += [NONE] * 3
        lines.append(cells)
    return markdown(header, lines)


def curves(specification: Dict[str, Any], runs: List[TableRun]) -> str:
    """The table of the state of training after some epochs."""
    epochs, metric = specification["curves"], specification["metric"]
    lines = []
    for name, title in ((TRAINING_LOSS, "loss of training"), (metric, f"{DEVELOPMENT}{_title(metric)}")):
        for row in specification["order"]:
            done = [run for run in runs if run.row == row and run.is_done]
            if done:
                cells = [_over_seeds(done, partial(_after, name=name, epoch=epoch), "{:.2f}") for epoch in epochs]
                lines.append([f"`{row}`, {title}", *cells])
    return markdown(["after epoch", *map(str, epochs)], lines)


def rates(specification: Dict[str, Any], runs: List[TableRun]) -> str:
    """The table of the metric on the development part by row and learning rate."""
    name = f"{DEVELOPMENT}{specification['metric']}"
    rows = list(dict.fromkeys(row.rpartition("-")[0] for row in specification["order"]))
    found = {(row, rate): f"{row}-{rate:g}" for row in rows for rate in specification[RATES]}
    trained = specification.get("trained")
    if trained is not None:
        runs = [*runs, *(run for run in table_runs(trained["table"]) if run.seed == 1)]
        found |= {(row, trained["rate"]): row for row in rows}
    columns = sorted({rate for _, rate in found})
    lines = []
    for row in rows:
        done = [[run for run in runs if run.row == found[row, rate] and run.is_done] for rate in columns]
        cells = [_over_seeds(each, partial(_score, evaluation="", name=name), "{:.2f}") for each in done]
        lines.append([f"`{row}`", *cells])
    return markdown([f"{DEVELOPMENT}{_title(specification['metric'])}", *(f"{rate:g}" for rate in columns)], lines)


def answers() -> str:
    """The table of the claims of the papers, with the difference of two rows each and the answer."""
    lines = []
    for previous, claim in pairwise([{}, *json.loads(evaluate_file("experiments/claims.jsonnet"))]):
        runs = list(table_runs(claim["table"]))
        ours, others = (
            [run for run in runs if run.row == claim[name] and run.is_done] for name in ("row", "reference")
        )
        evaluation = claim.get("evaluation", "test")
        evaluation = FOLDS if FOLDS in read_table(claim["table"]) else evaluation
        lead = _lead(ours, others, evaluation)
        cells = [NONE, NONE, "not trained yet"]
        if lead is not None:
            difference, low, high = lead
            answer = _answer(low, high, claim["claimed"])
            is_pilot = min(len(ours), len(others)) == 1
            cells = [f"{difference:+.2f}", f"{low:+.2f} to {high:+.2f}"]
            cells.append(f"a pilot: {answer}" if is_pilot else answer)
        names = f"`{claim['row']}`, `{claim['reference']}`"
        seeds = f"{len(ours)}, {len(others)}"
        text = "" if claim["claim"] == previous.get("claim") else claim["claim"]
        lines.append([text, f"[{claim['data']}]({claim['page']}.md)", names, seeds, *cells])
    return markdown(["claim", "data", "rows", "seeds", "difference", "95 % interval", "answer"], lines)


def row_difference(row: str, other: str, evaluation: str) -> str:
    """
    Returns how far one row is ahead of another one, each TABLE/ROW, with the 95 % interval and the numbers of seeds.
    Raises `ConfigurationError` where there are no counts to compare.
    """
    runs, others = ([run for run in runs_named(name) if run.is_done] for name in (row, other))
    lead = _lead(runs, others, evaluation)
    if lead is None:
        expected = "some with the same sentences in the records of both"
        raise ConfigurationError(f"{row}, {other}: found no counts of {evaluation}, expected {expected}")
    difference, low, high = lead
    return f"{difference:+.2f}, {low:+.2f} to {high:+.2f} ({len(runs)} and {len(others)} seeds)"


def missing_runs() -> str:
    """The table of the runs without a record, with the hours that they take if they are as long as those with one."""
    lines, total = [], 0.0
    for path in sorted(TABLES.glob("*.jsonnet")):
        runs = list(table_runs(path.stem))
        done = [run for run in runs if run.product.exists()]
        missing = len(runs) - len(done)
        if missing:
            trainings = missing * runs[0].specification.get(FOLDS, 1)
            hours = trainings * statistics.mean(run.record["seconds"] for run in done) / 3600 if done else None
            lines.append([f"`{path.stem}`", f"{missing} of {len(runs)}", NONE if hours is None else f"{hours:.1f}"])
            total += hours or 0.0
    return markdown(["table", "runs", "hours"], [*lines, ["together", "", f"{total:.0f}"]])


def _answer(low: float, high: float, claimed: float) -> str:
    """Compares the interval of a difference with the least that a paper reports, in points, or 0 for level systems."""
    if low > 0:
        return f"yes, by {low:.2f} to {high:.2f}"
    if high < 0:
        return f"no, behind by {-high:.2f} to {-low:.2f}"
    if high < claimed:
        return f"no, ahead by less than {high:.2f}"
    if claimed == 0 and max(-low, high) <= _LEVEL:
        return f"level, within {max(-low, high):.2f}"
    # The width of an interval falls with the square root of the number of sentences and seeds. A narrow one may still
    # contain the bound of an answer.
    factor = max(2, math.ceil(((high - low) / 2 / (claimed or _LEVEL)) ** 2))
    times = f"{factor} times" if factor <= 100 else "more than 100 times"
    return f"not decided; it would take {times} the sentences and seeds"


def _after(run: TableRun, name: str, epoch: int) -> Optional[float]:
    values = run.record.get("curves", {}).get(name, [])[epoch - 1 :]
    if not values:
        return None
    return values[0] / run.sentences_per_loss if name == TRAINING_LOSS else _scaled(values[0], name)


def _lead(runs: List[TableRun], others: List[TableRun], evaluation: str) -> Optional[Tuple[float, float, float]]:
    """The points by which runs are ahead of others, and the bounds of the 95 % interval, if all have counts."""
    first, second = _counts(runs, evaluation), _counts(others, evaluation)
    if first is None or second is None:
        return None
    difference, (low, high) = difference_interval(first, second)
    return 100 * difference, 100 * low, 100 * high


def _counts(runs: List[TableRun], evaluation: str) -> Optional[numpy.ndarray]:
    """The counts of S runs, (S, N, 2), if all have them."""
    counts = [read_counts(run.record["evaluations"].get(evaluation, {})) for run in runs]
    found = [each for each in counts if each is not None]
    return numpy.stack(found) if found and len(found) == len(counts) else None


def _score(run: TableRun, evaluation: str, name: str) -> Optional[float]:
    """A metric of an evaluation, or, if its name says so, of the development part or folds."""
    if name.startswith(DEVELOPMENT):
        metrics, name = run.record["development"], name.removeprefix(DEVELOPMENT)
    else:
        metrics = run.record["evaluations"].get(evaluation, {}).get("metrics", {})
    return None if name not in metrics else _scaled(metrics[name], name)


def _scaled(value: float, metric: str) -> float:
    """A metric as a percentage, apart from perplexities."""
    return value if metric.endswith("perplexity") else 100 * value


def _over_seeds(
    runs: List[TableRun], value: Callable[[TableRun], Optional[float]], form: str, with_deviation: bool = False
) -> str:
    values = [each for run in runs if (each := value(run)) is not None]
    if not values:
        return NONE
    mean = form.format(statistics.mean(values))
    return f"{mean} ± {form.format(statistics.stdev(values))}" if with_deviation and len(values) > 1 else mean


def _title(metric: str) -> str:
    return TITLES.get(metric, metric.replace("_f1", " F1").replace("_", " "))


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("tables", nargs="*", metavar="TABLE")
    parser.add_argument("--pages", nargs="+", type=Path, default=[], metavar="FILE", help="pages to renew")
    help = "the difference between two rows of the same test data, perhaps of two tables, and its interval"
    parser.add_argument("--difference", nargs=2, metavar="TABLE/ROW", help=help)
    parser.add_argument("--evaluation", default="test", help="the evaluation of --difference; the default is test")
    args = parser.parse_args()
    for path in args.pages:
        write_text(path, with_tables(path.read_text(encoding="utf-8")))
    for table in args.tables:
        for name, part in tables(table).items():
            print(f"{table}, {name}:\n\n{part}\n")
    if args.difference:
        row, other = args.difference
        print(row_difference(row, other, args.evaluation))


if __name__ == "__main__":
    main()
