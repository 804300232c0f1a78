"""
F1 of links and dialogue acts by depth in the thread, as in Figures 3 and 4 of the memory paper (Liu et al., 2017), from
the output of `nerzoo cross-validate` with -o '{"model.metrics_by_depth": true}':

    python -m experiments.depth_curves FOLDER/cross_validation.json ... [--output-file CURVES.svg]

A curve has the name of its folder; each point is the mean over the folds.
"""

from pathlib import Path
from typing import Dict, List, Optional, Sequence

from allennlp.common.checks import ConfigurationError

from experiments.common import argument_parser, markdown
from nerzoo.files import read_run_file
from nerzoo.training.metrics.thread_scores import POST_DEPTHS, TASKS

Curves = Dict[str, Dict[str, List[float]]]


def read(paths: Sequence[Path]) -> Curves:
    """By task and by system the F1 at each depth. Raises `ConfigurationError` where a file has none by depth."""
    curves: Curves = {task: {} for task in TASKS}
    for path in paths:
        metrics = read_run_file(path, dict)["metrics"]
        for task in TASKS:
            names = [f"{task}_f1-{depth}" for depth in POST_DEPTHS]
            if not metrics.keys() >= {*names}:
                raise ConfigurationError(f"{path}: found no {names[0]}, expected model.metrics_by_depth to be true")
            curves[task][path.parent.name] = [metrics[name]["mean"] for name in names]
    return curves


def table(curves: Curves) -> str:
    """A table with a row for each system."""
    return markdown(
        ["", *(f"{task} {depth}" for task in TASKS for depth in POST_DEPTHS)],
        [
            [f"`{system}`", *(f"{100 * value:.1f}" for task in TASKS for value in curves[task][system])]
            for system in curves[TASKS[0]]
        ],
    )


def plot(curves: Curves, path: Path) -> None:
    """Draws the curves of each task beside one another."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3), layout="constrained")
    all_axes = figure.subplots(1, len(TASKS), sharey=True)
    for task, axes in zip(TASKS, all_axes, strict=True):
        for number, (system, values) in enumerate(curves[task].items()):
            axes.plot(POST_DEPTHS, values, marker="osD^v"[number % 5], label=system)
        axes.set(title=f"{task} F1", xlabel="depth of post")
        axes.grid(alpha=0.3)
    all_axes[0].legend()
    figure.savefig(path)


def main(args: Optional[Sequence[str]] = None) -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("metrics", type=Path, nargs="+")
    parser.add_argument("--output-file", type=Path)
    arguments = parser.parse_args(args)
    curves = read(arguments.metrics)
    print(table(curves))
    if arguments.output_file:
        plot(curves, arguments.output_file)


if __name__ == "__main__":
    main()
