import argparse
import json
from contextlib import ExitStack
from typing import List

from allennlp.commands import evaluate
from allennlp.common.checks import ConfigurationError

from nerzoo import archives
from nerzoo.allennlp_private import SubParsers
from nerzoo.files import check_is_no_input, written_whole


class Evaluate(evaluate.Evaluate):
    """
    AllenNLP's `evaluate`, with outputs that are written whole or not at all. Refuses arguments by which nothing would
    be evaluated, or an input lost.
    """

    name = "evaluate"

    def add_subparser(self, parser: SubParsers) -> argparse.ArgumentParser:
        subparser = super().add_subparser(parser)
        subparser.set_defaults(func=_evaluate)
        return subparser


def _evaluate(args: argparse.Namespace) -> None:
    archives.find(args.archive_file)
    archives.device_number(args.cuda_device)
    if args.batch_size is not None and args.batch_size < 1:
        raise ConfigurationError(f"found --batch-size {args.batch_size}, expected at least 1")
    inputs = _inputs(args.input_file)
    with ExitStack() as stack:
        for name, automatic in (("output_file", "METRICS"), ("predictions_output_file", "PREDS")):
            given = getattr(args, name)
            if given is not None and args.auto_names not in (automatic, "ALL"):
                outputs = _outputs(given, name, inputs)
                setattr(args, name, ",".join(str(stack.enter_context(written_whole(output))) for output in outputs))
        evaluate.evaluate_from_args(args)


def _inputs(text: str) -> List[object]:
    """Returns the inputs as AllenNLP reads them: values of JSON, or paths."""
    try:
        inputs = json.loads(f"[{text}]")
    except ValueError:
        inputs = text.split(",")
    if not inputs or "" in inputs:
        raise ConfigurationError(f"found the input {text!r}, expected the path of a file")
    return inputs


def _outputs(text: str, name: str, inputs: List[object]) -> List[str]:
    outputs = text.split(",")
    if len(outputs) != len(inputs):
        found = f"{len(outputs)} files in --{name.replace('_', '-')} and {len(inputs)} inputs"
        raise ConfigurationError(f"found {found}, expected one for each, with commas between them")
    for output in outputs:
        check_is_no_input(output, [each for each in inputs if isinstance(each, str)])
    return outputs
