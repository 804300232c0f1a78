"""
The `tune` subcommand:

    nerzoo tune ner --space space.json --trials 20 --jobs 2 -s output/tuned
"""

import argparse
import shlex
import sys

from allennlp.commands.subcommand import Subcommand

from nerzoo.commands.arguments import TRAINING_OPTIONS, Command, add_training_arguments, positive
from nerzoo.runs.tuning import tune
from nerzoo.runs.tuning_report import values_line
from nerzoo.text.matching import written_score


@Subcommand.register("tune")
class Tune(Command):
    """
    Finds good values for options of a configuration on the development data. Optuna chooses the values of each training
    from the results of earlier ones, and bad trainings end early. The same command continues an interrupted run; with
    more --trials, it adds trials.
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add = parser.add_argument
        add("param_path", metavar="CONFIG", help="path or name of a configuration")
        space = 'JSON or Jsonnet: for each option its range, {"low": ..., "high": ...}, or {"choices": [...]}'
        add("--space", dest="space_path", required=True, metavar="FILE", help=space)
        add("--trials", dest="num_trials", required=True, type=positive, metavar="N", help="number, with earlier ones")
        add("--jobs", type=positive, default=1, help="number of trials at a time")
        add_training_arguments(parser, "folder of all trials")

    def run(self, args: argparse.Namespace) -> None:
        names = ("param_path", "space_path", "serialization_dir", "num_trials", "jobs", "overrides", *TRAINING_OPTIONS)
        command = shlex.join(["nerzoo", *sys.argv[1:]])
        report = tune(**{name: getattr(args, name) for name in names}, settings=dict(args.set), command=command)
        best = report["best"]
        score = f"{report['metric']} {written_score(report['metric'], best['value'])}"
        print(f"best: trial {best['number']}, {score}, {values_line(best['options'])}")
        print(f"{args.serialization_dir}/best.jsonnet and report.html", flush=True)
