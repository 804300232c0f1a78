"""
The `tune-thresholds` subcommand:

    nerzoo tune-thresholds ARCHIVE DEV_FILE --output-file TUNED.tar.gz
"""

import argparse

from allennlp.commands.subcommand import Subcommand

from nerzoo.commands.arguments import Command, add_development_arguments
from nerzoo.evaluation.thresholds import tune_thresholds
from nerzoo.modules.span_decoders import level_config
from nerzoo.text.rendering import aligned

_NUM_ROWS = 10


@Subcommand.register("tune-thresholds")
class TuneThresholds(Command):
    """
    Finds the algorithm and the threshold of each level of a fofe_ner's decoder, and the bias of no entity, with the
    highest F1 on development data; then the threshold of its filter, if it has one; and writes an archive with them.
    Never use test data here.
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_development_arguments(parser, "a trained fofe_ner")
        help = "share of the entities found that a filter of spans may lose"
        parser.add_argument("--filter-loss", type=float, default=0.005, help=help)

    def run(self, args: argparse.Namespace) -> None:
        found, own, span_filter = tune_thresholds(
            args.archive_file, args.dev_file, args.output_file, args.batch_size, args.cuda_device, args.filter_loss
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
        if span_filter is not None:
            threshold, share = span_filter
            kept = f"{share:.1%} of the spans and {1 - args.filter_loss:.1%} of the entities found"
            print(f"filter: the threshold {threshold:.3g} keeps {kept}", flush=True)
