"""
The commands that need neither PyTorch nor AllenNLP: `nerzoo zoo`, and `nerzoo tag` with an exported model. The same
options belong to the subcommands of AllenNLP in `nerzoo.commands`, which run what is beyond them.
"""

import argparse
import gzip
import io
import json
import os
import sys
import zlib
from collections import deque
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, Callable, Deque, Iterable, Iterator, List, Optional, Sequence, Tuple

from nerzoo.errors import is_mistake
from nerzoo.files import JsonError, check_is_new, check_is_no_input, check_surrogates, parse_json, written_whole
from nerzoo.text.palette import TypeNumbers
from nerzoo.text.rendering import (
    PAGE_BEGINNING,
    PAGE_END,
    Span,
    aligned,
    coloured_text,
    html_paragraph,
    marked_parts,
    marked_text,
)
from nerzoo.text.splitting import TEXT_UNITS, text_units
from nerzoo.text.token_batches import BATCH_TOKENS
from nerzoo.zoo.finding import (
    DEFAULT_MODEL,
    ENGINES,
    all_models,
    find_model,
    folder_of,
    is_exported,
    kept_export,
    unknown,
)
from nerzoo.zoo.tagger import Tagger

STANDARD_INPUT = "-"
INPUT_FORMATS = ("text", "jsonl")
MODEL = "name of a model of the zoo, archive, folder, URL or hf://owner/name@revision"
"""The description of an argument that names a model."""
TRAIN_HELP = "train, calibrate, test and pack a model; goes on if interrupted"
"""The description of `nerzoo zoo train`."""
SHOWN_FORMATS = ("text", "html", "jsonl")
"""The output formats that need no AllenNLP."""
_SUFFIXES = {".txt": "text", ".jsonl": "jsonl", ".json": "jsonl"}
_OUTPUT_FORMATS = {".txt": "text", ".html": "html", ".conllu": "conllu", ".parquet": "parquet", ".spacy": "spacy"}
_UNWRITTEN = (".csv", ".tsv", ".xlsx", ".xml")
_FEW = 2**24
"""The number of bytes of text that a core tags in about a minute."""
_MODEL_FILES = ("settings.json", "config.json", "model.tar.gz")
# Options of `tag` that AllenNLP's part of nerzoo is needed for.
_BEYOND = ("corpus", "column", "overrides", "workers", "ray", "resume")

Located = Tuple[str, Any]
"""A location, and a text, an object, or the error in its place."""


def run(argv: Sequence[str]) -> bool:
    """
    Runs a command, given its name and arguments, or returns `False` where it is not one of those here. Ends the process
    with one line for a mistake of the user.
    """
    if argv[:1] == ["zoo"] and argv[1:2] != ["train"]:
        command: Callable[[argparse.Namespace], None] = run_zoo
    elif argv[:1] == ["tag"]:
        command = run_tag
    else:
        return False
    parser = argparse.ArgumentParser(prog=f"nerzoo {argv[0]}", description=command.__doc__)
    if command is run_zoo:
        # For the help alone: the training is a part of AllenNLP's subcommand.
        add_zoo_arguments(parser).add_parser("train", help=TRAIN_HELP)
    else:
        add_tag_arguments(parser)
    parser.add_argument("--include-package", action="append", help="a package that registers more classes")
    try:
        args = parser.parse_args(argv[1:])
        if command is run_tag:
            set_output(args)
        if args.include_package or (command is run_tag and not _is_within(args)):
            return False
        command(args)
        # A full disk is an error of these commands, too.
        sys.stdout.flush()
    except BrokenPipeError:
        # Not an error: see `nerzoo.__main__`.
        raise
    except Exception as error:
        if not is_mistake(error) and not isinstance(error, (ImportError, OSError)):
            raise
        print(f"error: {error}", file=sys.stderr)
        sys.exit(1)
    return True


def add_zoo_arguments(parser: argparse.ArgumentParser) -> Any:
    """Adds the actions of `zoo`, and returns argparse's object that others are added to."""
    actions = parser.add_subparsers(title="Actions", metavar="ACTION", dest="action")
    show = actions.add_parser("show", help="print the card of a model: data, licences, attribution, scores")
    show.add_argument("name", help="name of a model")
    return actions


def run_zoo(args: argparse.Namespace) -> None:
    """Lists the trained models that are here, with their scores, sizes and licences, or shows the card of one."""
    if args.action == "show":
        model = find_model(args.name)
        if model is None:
            raise ValueError(unknown(args.name))
        print(json.dumps(model.card, indent=2, ensure_ascii=False))
        return
    rows = [["name", "what", "score", "MB", "licence"]]
    for model in all_models():
        description, score, licence = (model.card.get(key) or "-" for key in ("description", "score", "licence"))
        rows.append([model.name, description, score, f"{model.size / 1e6:.1f}", licence])
    print(aligned(rows))


def add_engine_argument(parser: argparse.ArgumentParser) -> None:
    """Adds the option for the engine on a CPU."""
    engines = "on a CPU: torch: PyTorch; onnx: ONNX Runtime; auto: ONNX Runtime where the model can be exported"
    parser.add_argument("--engine", choices=ENGINES, default=ENGINES[0], help=engines)


def add_input_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the input files of a model."""
    add = parser.add_argument
    kinds = parser.add_mutually_exclusive_group()
    options = 'its name, or JSON with its options, e.g. \'{"type": "columns", "tag_column": null}\''
    kinds.add_argument("--corpus", help=f"read a corpus in this format, and ignore its entities: {options}")
    formats = "text: see --text-unit; jsonl: the input of `nerzoo predict`. Default: from the file name extension"
    kinds.add_argument("--input-format", choices=list(INPUT_FORMATS), help=formats)
    kinds.add_argument("--column", help="read Parquet: the column of texts or of lists of words")
    unit = "part of a file that is one text: a line, a paragraph between blank lines, or the whole file"
    add("--text-unit", choices=TEXT_UNITS, default=TEXT_UNITS[0], help=f"{unit}. Default: %(default)s")
    add("--batch-tokens", type=int, default=BATCH_TOKENS, help="number of tokens in a batch")
    add("--cuda-device", type=int, default=-1, help="number of the GPU to use; -1: the CPU")
    add_engine_argument(parser)
    add("-o", "--overrides", default="", help="changes of the configuration, as JSON")
    allowed = "files, addresses, models of the hub and class paths that an untrusted archive may use"
    add("--allow", nargs="+", default=[], metavar="NAME", help=allowed)


def add_tag_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `tag`."""
    add = parser.add_argument
    inputs = "files or URLs; - is the standard input. The first argument may be the model, as in --model"
    add("inputs", nargs="*", metavar="input", help=inputs)
    add("--model", help=f"{MODEL}; by default {DEFAULT_MODEL}")
    add("--text", help="text to tag, in place of inputs")
    add_input_arguments(parser)
    add("--output-file", help="file to write or, for brat, folder; by default, or for -, the screen")
    output_format = (
        "text: marked entities, the default on the screen; html: a page; jsonl: the output of `nerzoo predict`; or "
        "another format: its name, or JSON with its options. Default of files: by the ending, or jsonl"
    )
    add("--output-format", help=output_format)
    add("--workers", type=int, default=0, help="number of processes, each with one thread")
    ray = (
        "predict by actors of Ray: as many as --workers, or one per GPU or CPU, on the cluster at ADDRESS or in "
        "the variable RAY_ADDRESS, or else on this machine"
    )
    add("--ray", nargs="?", const=os.environ.get("RAY_ADDRESS", "local"), metavar="ADDRESS", help=ray)
    errors = "for an item that cannot be predicted: end the run, or write its error in its place"
    add("--errors", choices=["raise", "yield"], default="raise", help=errors)
    ends = parser.add_mutually_exclusive_group()
    ends.add_argument("--resume", action="store_true", help="continue the same command after an interruption")
    ends.add_argument("--force", action="store_true", help="replace an output that exists, and start again")
    _intermix(parser)


def _intermix(parser: argparse.ArgumentParser) -> None:
    """Lets inputs stand before and after options. argparse takes the empty list before an option for all of them."""
    parse_known_args = parser.parse_known_args

    def parse_intermixed(*args: Any) -> Any:
        # It calls this method of the parser, too.
        parser.__dict__["parse_known_args"] = parse_known_args
        try:
            return parser.parse_known_intermixed_args(*args)
        finally:
            parser.__dict__["parse_known_args"] = parse_intermixed

    parser.__dict__["parse_known_args"] = parse_intermixed


def model_and_inputs(args: argparse.Namespace) -> Tuple[str, List[str]]:
    """
    Returns the model and the inputs of `tag`. The first of several arguments is the model, unless `--model` names one,
    or it is the standard input or a text. A single one is the model if it is an archive, a folder with a model, or,
    with `--text`, anything. Raises `ValueError` where there are no inputs, or inputs and a text.
    """
    model: str = args.model or DEFAULT_MODEL
    inputs: List[str] = list(args.inputs)
    if args.model is None and inputs and inputs[0] and inputs[0] != STANDARD_INPUT:
        first = inputs[0]
        several = len(inputs) > 1 or args.text is not None
        is_model = first.endswith(".tar.gz") or any(Path(first, name).is_file() for name in _MODEL_FILES)
        if is_model or (several and input_format(first) is None):
            model, inputs = first, inputs[1:]
    if args.text is not None and inputs:
        raise ValueError(f"found --text and the input {inputs[0]}, expected one of them")
    if args.text is None and not inputs:
        raise ValueError("found no input, expected files, - for the standard input, or --text")
    return model, inputs if args.text is None else ["--text"]


def set_output(args: argparse.Namespace) -> None:
    """
    Sets the format of the output of `tag`, if it is not given, by the name of its file, and the file to `None` where it
    is the screen. Raises `ValueError` for the ending of a format that nerzoo does not write.
    """
    if args.output_format is None:
        ending = ".txt" if args.output_file is None else Path(args.output_file).suffix
        if ending in _UNWRITTEN:
            expected = "another one, such as .jsonl, or --output-format with what to write"
            raise ValueError(f"{args.output_file}: found the ending {ending}, expected {expected}")
        args.output_format = _OUTPUT_FORMATS.get(ending, "jsonl")
    if args.output_file == STANDARD_INPUT:
        args.output_file = None


def input_format(path: str) -> Optional[str]:
    """Returns the format for the ending of a file's name, if there is one. The standard input has texts."""
    if path == STANDARD_INPUT:
        return "text"
    return _SUFFIXES.get(Path(Path(path).name.removesuffix(".gz")).suffix)


def run_tag(args: argparse.Namespace) -> None:
    """Tags texts, and writes to the screen or to a file."""
    _, inputs = model_and_inputs(args)
    tagger = Tagger.load(args.exported, batch_tokens=args.batch_tokens, engine=args.engine)
    text, unit = args.text, args.text_unit
    items = [(inputs[0], _whole(text))] if text is not None else _read_all(inputs, args.input_format, unit)
    with ExitStack() as stack:
        file: IO[str] = sys.stdout
        if args.output_file is not None:
            if not args.force:
                check_is_new(args.output_file)
            check_is_no_input(args.output_file, inputs)
            path = stack.enter_context(written_whole(args.output_file))
            file = stack.enter_context(path.open("w", encoding="utf-8"))
        show(tagger, items, file, args.output_format, args.errors)


def show(tagger: Tagger, items: Iterable[Located], file: IO[str], output_format: str, errors: str = "raise") -> None:
    """
    Writes the predictions for items, in one of the `SHOWN_FORMATS`: text is coloured on a terminal. `errors` is as in
    `Tagger`; text and HTML leave out what could not be predicted. Raises `ValueError` with the location of an item that
    cannot be predicted.
    """
    located: Deque[Located] = deque()

    def contents() -> Iterator[Any]:
        for item in items:
            located.append(item)
            yield item[1]

    is_coloured = file.isatty() and "NO_COLOR" not in os.environ
    numbers = TypeNumbers()

    def mark(text: str, spans: List[Span]) -> str:
        if output_format == "html":
            return html_paragraph(text, spans, numbers)
        return f"{coloured_text(text, spans, numbers) if is_coloured else marked_text(text, spans)}\n"

    num_errors = 0
    if output_format == "html":
        file.write(PAGE_BEGINNING)
    for index, prediction in enumerate(tagger(contents(), errors="yield")):
        location, inputs = located.popleft()
        if "error" in prediction:
            message = f"{location}: {prediction['error']}"
            if errors == "raise":
                raise ValueError(message)
            num_errors += 1
            prediction = {"error": message, "index": index}
        if output_format == "jsonl":
            file.write(json.dumps(prediction) + "\n")
        elif "error" not in prediction:
            for text, spans in marked_parts(inputs, prediction):
                file.write(mark(text, spans))
    if output_format == "html":
        file.write(PAGE_END)
    if num_errors:
        print(f"{num_errors} items could not be predicted", file=sys.stderr)


def _is_within(args: argparse.Namespace) -> bool:
    """Returns whether `run_tag` has all that a command asks for."""
    model, inputs = model_and_inputs(args)
    folder = Path(folder_of(model))
    formats = {args.input_format or input_format(path) for path in inputs if args.text is None}
    is_plain = (
        not any(getattr(args, name) for name in _BEYOND)
        and args.cuda_device == -1
        and args.output_format in (None, *SHOWN_FORMATS)
        and None not in formats
        and not any("://" in path for path in inputs)
    )
    # Last, and once: finding what is kept of an archive reads all of it.
    args.exported = _exported_folder(folder, inputs, args) if is_plain else None
    return args.exported is not None


def _exported_folder(folder: Path, inputs: Sequence[str], args: argparse.Namespace) -> Optional[Path]:
    """
    Returns the folder of the exported tagger that `run_tag` uses: that of a model, or the one that is kept of an
    archive, if there is one. Gold entities of JSON objects are for AllenNLP's part of nerzoo, and so are runs that take
    more than a minute, which keep a journal.
    """
    if is_exported(folder):
        return folder
    is_text = args.text is not None or all((args.input_format or input_format(path)) == "text" for path in inputs)
    is_short = sum(map(os.path.getsize, filter(os.path.isfile, inputs))) <= _FEW
    kept = kept_export(folder) if args.engine != "torch" and is_text and is_short else None
    return kept if kept is not None and is_exported(kept) else None


def _read_all(paths: Sequence[str], given: Optional[str], text_unit: str) -> Iterator[Located]:
    for path in paths:
        is_text = (given or input_format(path)) == "text"
        for number, text in text_units(_lines(path), text_unit if is_text else "line"):
            yield f"{path}:{number}", text if is_text else _object(text)


def _lines(path: str) -> Iterator[Tuple[int, str]]:
    """Yields the numbered lines of a UTF-8 file, plain or gzipped. Raises `ValueError` at a bad one."""
    try:
        with ExitStack() as stack:
            file: Any = sys.stdin.buffer if path == STANDARD_INPUT else stack.enter_context(open(path, "rb"))
            if file.peek(2).startswith(b"\x1f\x8b"):
                file = io.BufferedReader(gzip.GzipFile(fileobj=file))
            for number, line in enumerate(file, start=1):
                try:
                    text = line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
                except UnicodeDecodeError as error:
                    found = f"the byte 0x{line[error.start]:02x} as byte {error.start + 1} of the line"
                    raise ValueError(f"{path}:{number}: found {found}, expected UTF-8") from None
                yield number, text
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"{path}: found a file that cannot be read ({error}), expected a text") from error


def _object(line: str) -> Any:
    """Returns the object in a line of JSON, or in its place the error why there is none."""
    try:
        value = parse_json(line)
    except JsonError as error:
        return ValueError(f"found {error}, expected a JSON object")
    return value if isinstance(value, dict) else ValueError(f"found {line[:100]}, expected a JSON object")


def _whole(text: str) -> Any:
    """Returns a text, or in its place the error that it has one half of a surrogate pair, which no file can have."""
    try:
        check_surrogates(text)
    except JsonError as error:
        return ValueError(f"found {error}, expected text that a file can have")
    return text
