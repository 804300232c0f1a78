"""Curves: models that differ in one number of their configuration, and a metric over it."""

import os
from pathlib import Path
from typing import Any, Dict, Mapping, Optional, Sequence, Union

from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.params import with_overrides

from nerzoo.configuration.check import read_configuration
from nerzoo.errors import extra
from nerzoo.files import read_run_file, write_json, written_whole
from nerzoo.runs.runner import SETTINGS_NAME, TrainingRun, data_paths, run_in_turn, start_or_resume, train
from nerzoo.text.matching import written_score

Number = Union[int, float]


def curve(
    param_paths: Sequence[str],
    serialization_dir: str,
    parameter: str,
    values: Sequence[Number],
    metric: str,
    overrides: str = "",
    settings: Optional[Mapping[str, Any]] = None,
    **options: Any,
) -> Dict[str, Any]:
    """
    Trains a model for each value of a parameter of each configuration and draws a metric over the values. Models that
    are finished in `serialization_dir` are not trained again, also where there are more values or another metric than
    before; one that was interrupted goes on from its last checkpoint.

    The configurations are those of `nerzoo train`; the name of each file, without its ending, is that of its curve.
    `parameter` is the place of a number in each of them, with dots in between, `metric` the name of a number in
    `metrics.json`, `overrides` and `settings` are the overrides and options of `read_configuration`, and `options`
    those of `train_model`. Returns the content of `curve.json`: `parameter`, `metric`, the `values`, and for each of
    the `curves` its metrics.

    # Raises

    `ConfigurationError` where a value or the name of a configuration is there twice, a configuration has no such
    parameter, a model no such metric, or a folder holds models of another configuration or of other data, or something
    else; and where matplotlib is missing.
    """
    names = [Path(path).stem for path in param_paths]
    for what, found in (("values", values), ("names of configurations", names)):
        if len(set(found)) < len(found):
            raise ConfigurationError(f"found the {what} {', '.join(map(str, found))}, expected different ones")
    # Before anything is trained.
    with extra("plots", ", which draws curves"):
        from matplotlib.figure import Figure
    output = Path(serialization_dir)
    runs = []
    for name, path in zip(names, param_paths, strict=True):
        common = read_configuration(path, overrides, options=settings)
        if parameter not in common.as_flat_dict():
            raise ConfigurationError(f"{path}: found no parameter {parameter}, expected one that the configuration has")
        given = common.as_dict(quiet=True)
        shared = Params(with_overrides(given, {parameter: None}))
        start_or_resume(output / name, SETTINGS_NAME, "curve", shared, data_paths(common))
        for value in values:
            folder = output / name / str(value)
            config = Params(with_overrides(given, {parameter: value}))
            runs.append(TrainingRun(f"{name}, {parameter} {value}", folder, folder, config))

    def train_model_whole(run: TrainingRun) -> None:
        # The folder gets its name once everything is in it.
        unfinished = run.folder.with_name(f"{run.folder.name}.unfinished")
        train(run.config, unfinished, **options)
        os.replace(unfinished, run.folder)

    def read_metric(folder: Path) -> float:
        metrics = read_run_file(folder / "metrics.json", dict)
        if not isinstance(metrics.get(metric), (int, float)):
            numbers = ", ".join(name for name, value in metrics.items() if isinstance(value, (int, float)))
            raise ConfigurationError(f"{folder / 'metrics.json'}: found no number {metric}, expected one of {numbers}")
        return metrics[metric]

    measured = run_in_turn(
        runs, train_model_whole, read_metric, lambda number: f"{metric} {written_score(metric, number)}"
    )
    curves = {name: [next(measured) for _ in values] for name in names}
    summary = {"parameter": parameter, "metric": metric, "values": list(values), "curves": curves}
    write_json(output / "curve.json", summary)
    figure = Figure(layout="constrained")
    axes = figure.add_subplot(xlabel=parameter, ylabel=metric)
    for name, metrics in curves.items():
        # A line goes from left to right, whatever the order of training.
        axes.plot(*zip(*sorted(zip(values, metrics, strict=True)), strict=True), marker="o", label=name)
    axes.grid(alpha=0.3)
    axes.legend()
    for ending in ("png", "svg"):
        with written_whole(output / f"curve.{ending}") as unfinished:
            figure.savefig(unfinished, format=ending)
    return summary
