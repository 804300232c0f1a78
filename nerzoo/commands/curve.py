"""
The `curve` subcommand trains models that differ in one number of their configuration, and draws a metric over it, a
curve for each configuration:

    allennlp curve CONFIG [CONFIG ...] -s OUTPUT --parameter model.encoder.alpha --values 0 0.5 0.7 1 \
        --metric test_perplexity --include-package nerzoo
"""

import argparse
import os
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Union

from allennlp.commands.subcommand import Subcommand
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.params import with_overrides

from nerzoo.allennlp_private import SubParsers
from nerzoo.commands.arguments import add_training_arguments
from nerzoo.configuration_check import read_configuration
from nerzoo.errors import extra
from nerzoo.files import read_run_file, write_json, written_whole
from nerzoo.runs.training import config_differences, train

Number = Union[int, float]


@Subcommand.register("curve")
class Curve(Subcommand):
    """Trains a model for each configuration and each value; those that are finished are not trained again."""

    def add_subparser(self, parser: SubParsers) -> argparse.ArgumentParser:
        description = (
            "Train a model for each value of one parameter of a configuration, or of several configurations, and draw "
            "a metric over the values. The same command goes on where it was interrupted."
        )
        subparser = parser.add_parser(self.name, description=description, help="Draw a metric over a parameter.")
        subparser.add_argument("param_paths", type=str, nargs="+", metavar="CONFIG", help="a configuration for a curve")
        subparser.add_argument("--parameter", required=True, type=str, help="such as model.encoder.alpha")
        subparser.add_argument("--values", required=True, type=_number, nargs="+", metavar="VALUE", help="in order")
        subparser.add_argument("--metric", required=True, type=str, help="a number in metrics.json")
        directory = "directory for CONFIG/VALUE, as `allennlp train` writes it, curve.json, curve.png and curve.svg"
        add_training_arguments(subparser, directory)
        subparser.set_defaults(func=_curve_from_args)
        return subparser


def _curve_from_args(args: argparse.Namespace) -> Dict[str, Any]:
    return curve(
        param_paths=args.param_paths,
        serialization_dir=args.serialization_dir,
        parameter=args.parameter,
        values=args.values,
        metric=args.metric,
        overrides=args.overrides,
        include_package=args.include_package,
        file_friendly_logging=args.file_friendly_logging,
    )


def curve(
    param_paths: Sequence[str],
    serialization_dir: str,
    parameter: str,
    values: Sequence[Number],
    metric: str,
    overrides: str = "",
    include_package: Optional[List[str]] = None,
    file_friendly_logging: bool = False,
) -> Dict[str, Any]:
    """
    Trains a model for each value of a parameter of each configuration and draws a metric over the values. Models that
    are finished in `serialization_dir` are not trained again, also where there are more values or another metric than
    before; one that was interrupted goes on from its last checkpoint.

    # Parameters

    param_paths : `Sequence[str]`
        Configurations that `allennlp train` takes; the name of each file, without its ending, is that of its curve.
    serialization_dir : `str`
    parameter : `str`
        The place of a number in each configuration, with dots in between.
    values : `Sequence[Union[int, float]]`
    metric : `str`
        The name of a number in `metrics.json`.
    overrides : `str`, optional (default = `""`)
        JSON that overrides parts of each configuration.
    include_package : `List[str]`, optional
    file_friendly_logging : `bool`, optional (default = `False`)

    # Returns

    `Dict[str, Any]`
        The content of `curve.json`: `parameter`, `metric`, the `values`, and for each of the `curves` its metrics.

    # Raises

    `ConfigurationError` where a value or the name of a configuration is there twice, a configuration has no such
    parameter, a model no such metric, or a folder holds the model of another configuration; and where matplotlib is
    missing.
    """
    names = [Path(path).stem for path in param_paths]
    for what, found in (("values", values), ("names of configurations", names)):
        if len(set(found)) < len(found):
            raise ConfigurationError(f"found the {what} {', '.join(map(str, found))}, expected different ones")
    # Before anything is trained.
    figure = _new_figure()
    output = Path(serialization_dir)
    runs = {
        (name, value): (output / name / str(value), _config(path, parameter, value, overrides))
        for name, path in zip(names, param_paths, strict=True)
        for value in values
    }
    for folder, config in runs.values():
        _check_same(folder, config)

    measured = {}
    for number, ((name, value), (folder, config)) in enumerate(runs.items(), 1):
        progress = f"{name}, {parameter} {value} ({number} of {len(runs)})"
        if not folder.exists():
            print(f"{progress}: training", flush=True)
            # The folder has its name once everything is in it.
            unfinished = folder.with_name(f"{folder.name}.unfinished")
            train(config, unfinished, include_package, file_friendly_logging)
            os.replace(unfinished, folder)
        measured[name, value] = _measured(folder, metric)
        print(f"{progress}: {metric} {measured[name, value]:.4f}", flush=True)

    curves = {name: [measured[name, value] for value in values] for name in names}
    summary = {"parameter": parameter, "metric": metric, "values": list(values), "curves": curves}
    write_json(output / "curve.json", summary)
    _draw(figure, output, summary)
    return summary


def _number(text: str) -> Number:
    """Reads a whole number as an integer, since a configuration may take nothing else."""
    return int(text) if text.removeprefix("-").isdecimal() else float(text)


def _config(path: str, parameter: str, value: Number, overrides: str) -> Params:
    config = read_configuration(path, overrides)
    if parameter not in config.as_flat_dict():
        raise ConfigurationError(f"{path}: found no parameter {parameter}, expected one that the configuration has")
    return Params(with_overrides(config.as_dict(quiet=True), {parameter: value}))


def _check_same(folder: Path, config: Params) -> None:
    differences = config_differences(folder / "config.json", config) if folder.exists() else []
    if differences:
        raise ConfigurationError(
            f"found another model in {folder}: {'; '.join(differences)}; expected the same or a new folder"
        )


def _measured(folder: Path, metric: str) -> float:
    metrics = read_run_file(folder / "metrics.json", dict)
    if not isinstance(metrics.get(metric), (int, float)):
        numbers = ", ".join(name for name, value in metrics.items() if isinstance(value, (int, float)))
        raise ConfigurationError(f"{folder / 'metrics.json'}: found no number {metric}, expected one of {numbers}")
    return metrics[metric]


def _draw(figure: Any, output: Path, summary: Dict[str, Any]) -> None:
    axes = figure.add_subplot(xlabel=summary["parameter"], ylabel=summary["metric"])
    for name, metrics in summary["curves"].items():
        # A line goes from left to right, whatever the order of training.
        points = sorted(zip(summary["values"], metrics, strict=True))
        axes.plot(*zip(*points, strict=True), marker="o", label=name)
    axes.grid(alpha=0.3)
    axes.legend()
    for ending in ("png", "svg"):
        with written_whole(output / f"curve.{ending}") as unfinished:
            figure.savefig(unfinished, format=ending)


def _new_figure() -> Any:
    """Returns an empty figure. Raises `ConfigurationError` where matplotlib, an extra of this package, is missing."""
    with extra("plots", ", which draws curves"):
        from matplotlib.figure import Figure
    return Figure(layout="constrained")
