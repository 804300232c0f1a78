"""
AllenNLP's commands for the command `nerzoo`: `evaluate` and `predict`, which never overwrite an input, and `train`,
which may begin with a trained model.
"""

import argparse
import json
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional

from allennlp.commands.evaluate import evaluate_from_args
from allennlp.common import Params, logging as common_logging
from allennlp.common.checks import ConfigurationError
from allennlp.common.from_params import infer_params
from allennlp.common.params import parse_overrides, with_overrides
from allennlp.models import load_archive
from allennlp.predictors import Predictor

from nerzoo import archives
from nerzoo.allennlp_private import PredictManager
from nerzoo.commands.arguments import (
    TRAINING_OPTIONS,
    add_corpus_argument,
    add_options,
    name_or_json,
    positive,
    shown_counts,
)
from nerzoo.configuration.check import read_configuration
from nerzoo.errors import in_short
from nerzoo.files import check_is_no_input, written_whole
from nerzoo.formats.corpus import format_name
from nerzoo.inference.engine import load
from nerzoo.runs.train_options import fine_tuned, in_processes, own_data, train_with_seeds
from nerzoo.training.callbacks.final_report import metrics_line, reported_metrics, type_table
from nerzoo.training.evaluator import BY_TYPE
from nerzoo.training.train_model import train_model
from nerzoo.zoo.finding import folder_of


def _check_model_arguments(args: argparse.Namespace) -> None:
    args.archive_file = str(archives.find(args.archive_file))
    archives.device_number(args.cuda_device)
    if args.batch_size is not None and args.batch_size < 1:
        raise ConfigurationError(f"found --batch-size {args.batch_size}, expected at least 1")


def evaluate(args: argparse.Namespace) -> None:
    """Evaluates a model, and prints its scores. Outputs are written whole or not at all."""
    _check_model_arguments(args)
    inputs = _inputs(args.input_file)
    with ExitStack() as stack:
        for name, automatic in (("output_file", "METRICS"), ("predictions_output_file", "PREDS")):
            given = getattr(args, name)
            if given is not None and args.auto_names not in (automatic, "ALL"):
                outputs = given.split(",")
                if len(outputs) != len(inputs):
                    found = f"{len(outputs)} files in --{name.replace('_', '-')} and {len(inputs)} inputs"
                    raise ConfigurationError(f"found {found}, expected one for each, with commas between them")
                for output in outputs:
                    check_is_no_input(output, [each for each in inputs if isinstance(each, str)])
                setattr(args, name, ",".join(str(stack.enter_context(written_whole(output))) for output in outputs))
        args.overrides = _with_evaluator(args.overrides)
        metrics = evaluate_from_args(args)
    print(metrics_line(reported_metrics(metrics)))
    for name, by_type in metrics.items():
        if name.endswith(BY_TYPE):
            # AllenNLP's prefix of a metric is the name of its file, where there are several.
            print(*filter(None, [name.removesuffix(BY_TYPE).removesuffix("_")]), type_table(by_type), sep="\n")


def _with_evaluator(overrides: str) -> str:
    """Returns overrides of a configuration with the evaluator `by_type`, unless they have another one."""
    try:
        changes = parse_overrides(overrides)
    except RuntimeError:
        # The error of the archive that cannot be loaded with them says more.
        return overrides
    if isinstance(changes, dict) and not any(key.partition(".")[0] == "evaluation" for key in changes):
        changes["evaluation"] = {"type": "by_type"}
    return json.dumps(changes)


def _inputs(text: str) -> List[object]:
    """Returns the inputs as AllenNLP reads them: values of JSON, or paths."""
    try:
        inputs = json.loads(f"[{text}]")
    except ValueError:
        inputs = text.split(",")
    if not inputs or "" in inputs:
        raise ConfigurationError(f"found the input {text!r}, expected the path of a file")
    return inputs


def add_training_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options that `nerzoo train` has beside those of `allennlp train`."""
    add = parser.add_argument
    add("--train", help="a file of training data in place of that of the configuration")
    add("--dev", help="a file of development data; default: a tenth of --train")
    add_corpus_argument(parser)
    add("--seeds", type=positive, help="number of models, with the seeds 1, 2 and so on, each in a folder of its own")
    add("--jobs", type=positive, default=1, help="number of processes on the CPU that train the model together")
    add(
        "--from", dest="archive", metavar="MODEL", help="name or archive of a tagger to continue on the data given here"
    )
    add_options(parser)


def train(args: argparse.Namespace) -> None:
    """Trains a model, perhaps on files of one's own, from the beginning or, with `--from`, from that of an archive."""
    for name in ("recover", "force", "dry_run"):
        if args.seeds is not None and getattr(args, name):
            expected = "one of them: models that are trained are kept, and one that was interrupted goes on"
            raise ConfigurationError(f"found --seeds and --{name.replace('_', '-')}, expected {expected}")
    params = read_configuration(args.param_path, args.overrides, options=dict(args.set))
    if args.train is not None:
        corpus = name_or_json(args.corpus or format_name(args.train))
        with shown_counts():
            data = own_data(params, args.train, args.dev, corpus)
        print("\n".join(data.description))
        params = Params(with_overrides(params.as_dict(quiet=True), data.overrides))
    elif args.dev is not None or args.corpus is not None:
        raise ConfigurationError("found --dev or --corpus without --train, expected the training data, too")
    if args.archive is not None:
        params = fine_tuned(params, folder_of(args.archive))
    if args.jobs > 1:
        params = in_processes(params, args.jobs)
    if args.seeds is not None:
        logging = {name: getattr(args, name) for name in TRAINING_OPTIONS}
        return train_with_seeds(params, Path(args.serialization_dir), args.seeds, **logging)
    train_model(
        params,
        args.serialization_dir,
        args.recover,
        args.force,
        node_rank=args.node_rank,
        include_package=args.include_package,
        dry_run=args.dry_run,
        file_friendly_logging=args.file_friendly_logging,
    )


class _Manager(PredictManager):
    def _get_json_data(self) -> Iterator[Dict[str, Any]]:
        try:
            yield from super()._get_json_data()
        except (OSError, UnicodeDecodeError) as error:
            found = f"a file that cannot be read ({in_short(error)})"
            raise ConfigurationError(f"{self._input_file}: found {found}, expected a text in UTF-8") from error


def predict(args: argparse.Namespace) -> None:
    """Predicts a file. The error for an input that cannot be read has its name."""
    common_logging.FILE_FRIENDLY_LOGGING = args.file_friendly_logging
    _check_model_arguments(args)
    # AllenNLP opens the output for writing before it reads the input.
    if args.output_file is not None:
        check_is_no_input(args.output_file, [args.input_file])
    predictor = _predictor(args)
    if args.silent and args.output_file is None:
        print("--silent without --output-file: nothing to do")
        sys.exit(0)
    options = (args.batch_size, not args.silent, args.use_dataset_reader, args.multitask_head)
    _Manager(predictor, args.input_file, args.output_file, *options).run()


def _predictor(args: argparse.Namespace) -> Predictor:
    given = args.predictor_args.strip() or "{}"
    try:
        options = json.loads(given)
    except ValueError as error:
        raise ConfigurationError(f"found --predictor-args {given} ({error}), expected a JSON object") from None
    if args.weights_file is None and not args.use_dataset_reader:
        archive = load(args.archive_file, args.cuda_device, args.overrides, engine=args.engine)
    elif args.engine == "onnx":
        raise ConfigurationError(
            "found the engine 'onnx' with a weights file or a dataset reader, expected none of them"
        )
    else:
        archive = load_archive(args.archive_file, args.cuda_device, args.overrides, args.weights_file)
    name: Optional[str] = args.predictor or archive.model.default_predictor
    predictor: Any = Predictor.by_name(name) if name else Predictor
    # A predictor passes other options on to its base class.
    known = infer_params(predictor, predictor.__init__).keys() - {"self", "model", "dataset_reader", "kwargs"}
    unknown = [option for option in options if option not in known]
    if unknown:
        expected = f"options of {name}: {', '.join(sorted(known))}"
        raise ConfigurationError(f"found --predictor-args with {unknown[0]!r}, expected {expected}")
    return Predictor.from_archive(archive, name, args.dataset_reader_choice, extra_args=options)
