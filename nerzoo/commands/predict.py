import argparse
import inspect
import json
import sys
from typing import Any, Dict, Iterator, Optional

from allennlp.commands import predict
from allennlp.common import logging as common_logging
from allennlp.common.checks import ConfigurationError
from allennlp.models import load_archive
from allennlp.predictors import Predictor

from nerzoo import archives
from nerzoo.allennlp_private import PredictManager, SubParsers
from nerzoo.errors import in_short
from nerzoo.files import check_is_no_input


class Predict(predict.Predict):
    """
    AllenNLP's `predict`, which refuses arguments by which an input would be lost, and names the input that it cannot
    read.
    """

    name = "predict"

    def add_subparser(self, parser: SubParsers) -> argparse.ArgumentParser:
        subparser = super().add_subparser(parser)
        subparser.set_defaults(func=_predict)
        return subparser


class _Manager(PredictManager):
    def _get_json_data(self) -> Iterator[Dict[str, Any]]:
        try:
            yield from super()._get_json_data()
        except (OSError, UnicodeDecodeError) as error:
            found = f"a file that cannot be read ({in_short(error)})"
            raise ConfigurationError(f"{self._input_file}: found {found}, expected a text in UTF-8") from error


def _predict(args: argparse.Namespace) -> None:
    common_logging.FILE_FRIENDLY_LOGGING = args.file_friendly_logging
    archives.find(args.archive_file)
    archives.device_number(args.cuda_device)
    if args.batch_size < 1:
        raise ConfigurationError(f"found --batch-size {args.batch_size}, expected at least 1")
    # AllenNLP opens it for writing, which empties what is there.
    if args.output_file is not None:
        check_is_no_input(args.output_file, [args.input_file])
    predictor = _predictor(args)
    if args.silent and args.output_file is None:
        print("--silent without --output-file: nothing to do")
        sys.exit(0)
    output, prints = args.output_file, not args.silent
    _Manager(
        predictor, args.input_file, output, args.batch_size, prints, args.use_dataset_reader, args.multitask_head
    ).run()


def _predictor(args: argparse.Namespace) -> Predictor:
    given = args.predictor_args.strip() or "{}"
    try:
        options = json.loads(given)
    except ValueError as error:
        raise ConfigurationError(f"found --predictor-args {given} ({error}), expected a JSON object") from None
    archive = load_archive(
        args.archive_file, weights_file=args.weights_file, cuda_device=args.cuda_device, overrides=args.overrides
    )
    name: Optional[str] = args.predictor or archive.model.default_predictor
    known = inspect.signature(Predictor.by_name(name) if name else Predictor).parameters
    unknown = [option for option in options if option not in known]
    if unknown:
        raise ConfigurationError(
            f"found --predictor-args with {unknown[0]!r}, expected options of {name}: {', '.join([*known][2:])}"
        )
    return Predictor.from_archive(archive, name, args.dataset_reader_choice, extra_args=options)
