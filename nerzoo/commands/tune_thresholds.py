"""
The `tune-thresholds` subcommand:

    allennlp tune-thresholds ARCHIVE DEV_FILE --output-file TUNED.tar.gz --include-package nerzoo
"""

import argparse

from allennlp.commands.subcommand import Subcommand

from nerzoo.commands.arguments import Command, add_development_arguments
from nerzoo.evaluation.calibrate import level_config, tune_thresholds
from nerzoo.text.rendering import aligned

_NUM_ROWS = 10


@Subcommand.register("tune-thresholds")
class TuneThresholds(Command):
    """
    Finds the algorithm and the threshold of each level of a fofe_ner's decoder, and the bias of no entity, with the
    highest F1 on development data, and writes an archive with them. Never use test data here.
    """

    help = "Tune the thresholds of a fofe_ner."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_development_arguments(parser, "a trained fofe_ner")

    def run(self, args: argparse.Namespace) -> None:
        found, own = tune_thresholds(
            args.archive_file, args.dev_file, args.output_file, args.batch_size, args.cuda_device
        )
        level_names = [f"level {place}" for place, _ in enumerate(own.levels, start=1)]
        rows = [["precision", "recall", "f1", "bias", *level_names, ""]]
        for rank, scored in enumerate(found):
            # A star marks the archive's own levels and bias.
            if rank < _NUM_ROWS or scored is own:
                levels, *scores, bias = scored
                names = [f"{level_config(level)['type']} {level.threshold:g}" for level in levels]
                percents = [f"{100 * score:.1f}" for score in scores]
                rows.append([*percents, f"{bias:g}", *names, "*" if scored is own else ""])
        print(f"{len(found)} combinations on {args.dev_file}, best first\n{aligned(rows)}", flush=True)
