"""Parts that several commands share: their base class, arguments and their values."""

import argparse
import logging
from contextlib import contextmanager
from typing import Any, Dict, Iterator, Tuple, Type, TypeVar

from allennlp.commands.subcommand import Subcommand
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError

from nerzoo.allennlp_private import SubParsers
from nerzoo.configuration.check import from_options, read_configuration
from nerzoo.errors import shortened
from nerzoo.files import JsonError, parse_json
from nerzoo.formats.corpus import ENDINGS, AnnotationWriter, Corpus
from nerzoo.formats.threads import ThreadCorpus
from nerzoo.inference.sources import (
    Source,
    SourceItem,
    corpus_items,
    json_items,
    parquet_items,
    text_items,
)
from nerzoo.inference.tagger import Tagger
from nerzoo.inference.threads import ThreadsPredictor
from nerzoo.overview import LINES
from nerzoo.zoo.command import MODEL, add_input_arguments, input_format

_Format = TypeVar("_Format", bound=Registrable)

TRAINING_OPTIONS = ("include_package", "file_friendly_logging")
"""Arguments that commands which train pass on to `train_model`."""


class Command(Subcommand):
    """A subcommand. Subclasses have its description as their docstring."""

    def add_subparser(self, parser: SubParsers) -> argparse.ArgumentParser:
        subparser = parser.add_parser(self.name, description=self.__doc__, help=LINES[self.name])
        self.add_arguments(subparser)
        subparser.set_defaults(func=self.run)
        return subparser

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        raise NotImplementedError

    def run(self, args: argparse.Namespace) -> None:
        """Runs the command. Raises `ConfigurationError` for a mistake of the user."""
        raise NotImplementedError


def not_negative(text: str, least: int = 0) -> int:
    """Reads an integer of at least 0, as a `type` of argparse."""
    number = int(text)
    if number < least:
        raise argparse.ArgumentTypeError(f"found {text}, expected {least} or more")
    return number


def positive(text: str) -> int:
    """Reads an integer of at least 1, as a `type` of argparse."""
    return not_negative(text, least=1)


def from_name_or_json(base: Type[_Format], text: str) -> _Format:
    """Builds an object of a registered class from its name, or JSON with its options. Raises `ConfigurationError`."""
    params = name_or_json(text)
    if params.get("type") not in base.list_available():
        found, available = shortened(repr(params.get("type"))), ", ".join(base.list_available())
        raise ConfigurationError(f"found the format {found}, expected one of {available}")
    return from_options(base, params)


def name_or_json(text: str) -> Dict[str, Any]:
    """Returns the options of a format, its `type` among them, from its name or JSON. Raises `ConfigurationError`."""
    if not text.lstrip().startswith("{"):
        return {"type": text}
    try:
        return parse_json(text)
    except JsonError as error:
        found = f"found {shortened(text)!r} ({error})"
        raise ConfigurationError(f"{found}, expected a name, or a JSON object") from None


def add_corpus_argument(parser: argparse.ArgumentParser) -> None:
    """Adds `--corpus`, the format of annotated files."""
    options = 'its name, or JSON with its options, e.g. \'{"type": "columns", "tag_column": 1}\''
    formats = format_names(Corpus)
    parser.add_argument(
        "--corpus", help=f"the format of the files, {options}; default: from the ending; one of {formats}"
    )


def format_names(base: Type[Registrable]) -> str:
    """Returns the names of formats, with their endings."""
    return ", ".join(f"{name} ({ENDINGS[name]})" if name in ENDINGS else name for name in base.list_available())


@contextmanager
def shown_counts() -> Iterator[None]:
    """Shows what corpora leave out or adapt in files that are read in the context."""
    logger = logging.getLogger(Corpus.__module__.rpartition(".")[0])
    before = logger.level
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.setLevel(before)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds `--set` for the options of a configuration, pairs of a name and a value."""
    help = "value of an option of the configuration, as JSON or text; `nerzoo config options` lists options"
    parser.add_argument("--set", action="append", default=[], type=_setting, metavar="OPTION=VALUE", help=help)


def _setting(text: str) -> Tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(f"found {text!r}, expected OPTION=VALUE")
    try:
        return name, parse_json(value)
    except JsonError:
        return name, value


def add_training_arguments(parser: argparse.ArgumentParser, directory: str) -> None:
    """Adds arguments of `allennlp train`. `directory` describes the output folder."""
    add = parser.add_argument
    add("-s", "--serialization-dir", required=True, help=directory)
    overrides = "JSON that overrides parts of the configuration"
    add("-o", "--overrides", default="", help=overrides)
    add_options(parser)
    logging = "write tqdm's progress on separate lines and less often"
    add("--file-friendly-logging", action="store_true", help=logging)


def add_fold_arguments(parser: argparse.ArgumentParser, num_folds: int, directory: str) -> None:
    """Adds arguments of the commands that train on folds. `directory` describes the output folder."""
    parser.add_argument("param_path", help="path of the configuration of the model to train")
    parser.add_argument("--folds", type=int, default=num_folds, help="number of folds")
    parser.add_argument("--seed", type=int, default=13370, help="seed of the division of documents into folds")
    add_training_arguments(parser, directory)


def fold_arguments(args: argparse.Namespace) -> Dict[str, Any]:
    """Returns the arguments of `add_fold_arguments` as keyword arguments of a function that trains on folds."""
    return {
        "params": read_configuration(args.param_path, args.overrides, options=dict(args.set)),
        "serialization_dir": args.serialization_dir,
        "num_folds": args.folds,
        "seed": args.seed,
        **{name: getattr(args, name) for name in TRAINING_OPTIONS},
    }


def add_development_arguments(parser: argparse.ArgumentParser, model: str) -> None:
    """Adds arguments of the commands that change an archive after a run on development data."""
    parser.add_argument("archive_file", help=f"path of the archive of {model}")
    parser.add_argument("dev_file", help="development data, in the format that the model was trained on")
    parser.add_argument("--output-file", required=True, help="path of the archive to write")
    parser.add_argument("--batch-size", type=positive, default=32, help="number of instances in a batch")
    parser.add_argument("--cuda-device", type=int, default=-1, help="number of the GPU to use; -1: the CPU")


def add_source_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds arguments for the model and its input files."""
    parser.add_argument("archive_file", help=MODEL)
    parser.add_argument("inputs", nargs="+", metavar="input", help="files or URLs; - is the standard input")
    add_input_arguments(parser)


def load_tagger_and_source(args: argparse.Namespace) -> Tuple[Tagger, Source]:
    """Loads the model and makes the reader of its inputs. Raises `ConfigurationError` where their format is unknown."""
    options = (args.cuda_device, args.batch_tokens, args.overrides, args.allow, args.engine)
    tagger = Tagger.load(args.archive_file, *options)
    return tagger, _source(args, tagger)


def _source(args: argparse.Namespace, tagger: Tagger) -> Source:
    if getattr(args, "text", None) is not None:
        return lambda path: iter([SourceItem(path, args.text)])
    if args.corpus is not None:
        base: Any = ThreadCorpus if isinstance(tagger.predictor, ThreadsPredictor) else Corpus
        return corpus_items(from_name_or_json(base, args.corpus), tagger.predictor)
    if args.column is not None:
        return parquet_items(args.column)
    formats = {args.input_format or input_format(path) for path in args.inputs}
    if len(formats) > 1 or None in formats:
        raise ConfigurationError(
            f"found {' '.join(args.inputs)}, whose endings do not name a format, expected .txt, with texts, or .jsonl; "
            "or --corpus, --column or --input-format"
        )
    return text_items(args.text_unit) if formats == {"text"} else json_items


def prediction_writer(output_format: str) -> AnnotationWriter:
    """Builds the writer of a format, by its name or by JSON, for predictions."""
    if output_format == "label_studio":
        output_format = '{"type": "label_studio", "results": "predictions"}'
    return from_name_or_json(AnnotationWriter, output_format)
