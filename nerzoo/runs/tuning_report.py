"""The findings of a tuning: its trials, the importance of options, and charts, as data and as a page."""

import json
import math
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Sequence, Tuple, cast

from nerzoo.files import write_json
from nerzoo.reports.tables import Axis, BarChart, Line, LineChart, Section, Table, make_columns, write_pages
from nerzoo.text.matching import is_share, written_score

if TYPE_CHECKING:
    from optuna import Study
    from optuna.trial import FrozenTrial

# The opacity of the line of the worst trial.
_FAINT = 0.2


def value_text(value: Any) -> str:
    """Returns the text of a value of an option."""
    return f"{value:.4g}" if isinstance(value, float) else json.dumps(value)


def values_line(values: Mapping[str, Any]) -> str:
    """Returns the values of options in one line."""
    return ", ".join(f"{name} {value_text(value)}" for name, value in values.items())


def trial_line(trial: "FrozenTrial", metric: str) -> str:
    """Returns the result of a trial in one line."""
    result = "no value" if trial.value is None else f"{metric} {written_score(metric, trial.value)}"
    return f"trial {trial.number}: {trial.state.name.lower()} after epoch {len(trial.intermediate_values)}, {result}"


def write_tuning_report(folder: Path, study: "Study", metric: str, command: str) -> Dict[str, Any]:
    """
    Writes `report.json`, `report.md` and `report.html` into the folder of a tuning and returns the content of
    `report.json`: the `command`, the `metric` and the `direction` of what is better, the `best` trial, the `importance`
    of options, and the `trials`, each with its `number`, `state`, `epochs`, `value` and `options`.
    """
    from optuna.importance import FanovaImportanceEvaluator, get_param_importances
    from optuna.trial import TrialState

    complete = study.get_trials(states=(TrialState.COMPLETE,))
    importance: Dict[str, float] = {}
    # Optuna's error where all trials are as good, and there is nothing to explain.
    with suppress(RuntimeError):
        if len(complete) > 1:
            importance = get_param_importances(study, evaluator=FanovaImportanceEvaluator(seed=0))
    trials = [
        {
            "number": trial.number,
            "state": trial.state.name.lower(),
            "epochs": len(trial.intermediate_values),
            "value": trial.value,
            "options": trial.params,
        }
        for trial in study.trials
    ]
    report = {
        "command": command,
        "metric": metric,
        "direction": study.direction.name.lower(),
        "best": trials[study.best_trial.number],
        "importance": importance,
        "trials": trials,
    }
    write_json(folder / "report.json", report)
    sections = [_trials_section(report, complete), *([_importance_section(report)] if importance else [])]
    write_pages(folder, "Tuning", sections, sections, [])
    return report


def _trials_section(report: Dict[str, Any], complete: Sequence["FrozenTrial"]) -> Section:
    metric, best, trials = report["metric"], report["best"], report["trials"]
    best_score = written_score(metric, best["value"])
    states = [trial["state"] for trial in trials]
    counts = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))
    paragraphs = [
        f"Best: trial {best['number']}, {metric} {best_score} with {values_line(best['options'])}.",
        f"{counts}. The value of a complete trial is that of its best epoch on the development data, which also chose "
        "the best trial: it is higher than on new data. The value of a pruned trial is that of its last epoch.",
        f"Command: {report['command']}",
    ]
    names = list(best["options"])
    columns = make_columns(
        "trial", *names, "epochs:count", f"{metric}:{'score' if is_share(metric) else 'number'}", "state"
    )
    rows = []
    for trial in trials:
        options = [value_text(trial["options"][name]) for name in names]
        rows.append([str(trial["number"]), *options, trial["epochs"], trial["value"], trial["state"]])
    charts = [_history(complete, report), _parallel_coordinates(complete, report)]
    return Section("trials", "Trials", paragraphs, [Table("Trials", columns, rows)], charts)


def _importance_section(report: Dict[str, Any]) -> Section:
    importance = report["importance"]
    note = (
        f"The share of the variance of {report['metric']} over complete trials that each option explains by itself "
        "(fANOVA; Hutter, Hoos and Leyton-Brown, 2014). It is uncertain where there are few trials."
    )
    rows = [[name, share] for name, share in importance.items()]
    table = Table("Importance of options", make_columns("option", "importance:score"), rows, note)
    chart = BarChart("Importance of options", list(importance), {"importance": list(importance.values())})
    return Section("importance", "Importance of options", [], [table], [chart])


def _history(complete: Sequence["FrozenTrial"], report: Dict[str, Any]) -> LineChart:
    """Draws the value of each complete trial, and the best of those up to it."""
    values = [cast(float, trial.value) for trial in complete]
    best = list(accumulate(values, max if report["direction"] == "maximize" else min))
    low, high = min(values), max(values)
    axes = [Axis(str(trial.number)) for trial in complete]
    axes[0] = Axis(axes[0].title, value_text(low), value_text(high))
    lines = [
        Line(name, [_share(value, low, high) for value in found], is_best=name == "best")
        for name, found in {"trials": values, "best": best}.items()
    ]
    text = ", ".join(f"trial {trial.number} {value_text(trial.value)}" for trial in complete)
    return LineChart(f"{report['metric']} by trial, and the best so far", axes, lines, text)


def _parallel_coordinates(complete: Sequence["FrozenTrial"], report: Dict[str, Any]) -> LineChart:
    """Draws each complete trial as a line through its values of the options and of the metric."""
    metric, number = report["metric"], report["best"]["number"]
    values = [cast(float, trial.value) for trial in complete]
    value_places = [_share(value, min(values), max(values)) for value in values]
    axes, columns = [], []
    for name, distribution in complete[0].distributions.items():
        axis, places = _option_axis(name, distribution, [trial.params[name] for trial in complete])
        axes.append(axis)
        columns.append(places)
    axes.append(Axis(metric, value_text(min(values)), value_text(max(values))))
    lines = []
    for trial, place, *places in zip(complete, value_places, *columns, strict=True):
        quality = place if report["direction"] == "maximize" else 1 - place
        name = f"trial {trial.number}: {values_line(trial.params)}, {metric} {value_text(trial.value)}"
        lines.append(Line(name, [*places, place], _FAINT + (1 - _FAINT) * quality, trial.number == number))
    return LineChart("Options and results of the trials", axes, lines, "; ".join(line.name for line in lines))


def _option_axis(name: str, distribution: Any, values: Sequence[Any]) -> Tuple[Axis, List[float]]:
    """Returns the axis of an option and the places of values on it."""
    if hasattr(distribution, "choices"):
        choices = distribution.choices
        axis = Axis(name, value_text(choices[0]), value_text(choices[-1]))
        return axis, [_share(choices.index(value), 0, len(choices) - 1) for value in values]
    scale = math.log if distribution.log else float
    low, high = scale(distribution.low), scale(distribution.high)
    axis = Axis(name, value_text(distribution.low), value_text(distribution.high))
    return axis, [_share(scale(value), low, high) for value in values]


def _share(value: float, low: float, high: float) -> float:
    """Returns the place of a number between two others, from 0 to 1."""
    return (value - low) / (high - low) if high > low else 0.5
