import json
import os
import shutil
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from allennlp.common.checks import ConfigurationError
from tqdm import tqdm

from nerzoo.errors import format_error
from nerzoo.files import check_is_no_input, check_replaceable, digest, is_special
from nerzoo.formats.brat import BratWriter
from nerzoo.formats.corpus import AnnotationWriter
from nerzoo.formats.lines import AnyPath
from nerzoo.inference.ner import NerPredictor
from nerzoo.inference.sources import STANDARD_INPUT, Source, SourceItem, all_items, documents, with_inputs
from nerzoo.inference.tagger import Tagger
from nerzoo.inference.workers import Chunk, Predictions, predict_chunks
from nerzoo.training.progress import progress_bar

_CHUNK_TOKENS = 16_384
_CHUNK_ITEMS = 2_000
_CHARACTERS_PER_TOKEN = 5
_MARK = "nerzoo_tag"
_BEGINNING = b'{"nerzoo_tag"'

Predict = Callable[[Tagger, Iterator[Chunk]], Iterator[Tuple[Chunk, Predictions]]]
"""Yields each chunk with its predictions, in order."""


def tag(
    tagger: Tagger,
    source: Source,
    inputs: Sequence[str],
    output: AnyPath,
    writer: Optional[AnnotationWriter] = None,
    settings: Optional[Dict[str, Any]] = None,
    predict: Predict = predict_chunks,
    resume: bool = False,
    force: bool = False,
    errors: str = "raise",
) -> None:
    """
    Predicts files of any size into a file or folder, which appears when it is whole. Until then predictions are in a
    `Journal` beside it, `OUTPUT.journal`, from which an interrupted run goes on with `resume`. `force` replaces an
    output that exists, once the new one is whole, and gives up an interrupted run.

    `inputs` are paths or URLs; `-` is the standard input. `writer` is the format of the output, by default that of
    `nerzoo predict`. `settings`, like the inputs, must be those of the run that `resume` continues. `predict` is
    `predict_chunks` or `predict_over_ray`. `errors` is as in `Tagger`; a `writer` leaves out those of `"yield"`. Raises
    `ConfigurationError` where an output or an interrupted run exists and neither `resume` nor `force` is set, the
    output is an input or a folder above one, or has what the format does not write, an item cannot be predicted, which
    the message names by its location, or the disk is full.
    """
    # A link stays a link.
    output = Path(output).resolve() if Path(output).is_symlink() else Path(output)
    if writer is not None and not isinstance(tagger.predictor, NerPredictor):
        raise ConfigurationError("found a model that does not tag words, expected no format but jsonl for it")
    _check_output(output, inputs)
    # An input is recognized by its path and, where it is a local file or folder, its content.
    journal_file = output.with_name(f"{output.name}.journal")
    hashes = [
        [path, digest(path, str(journal_file)) if os.path.isfile(path) or os.path.isdir(path) else None]
        for path in inputs
    ]
    journal = Journal(journal_file, {**(settings or {}), "inputs": hashes})
    is_interrupted = journal.path.exists()
    if is_interrupted:
        if not journal.is_ours():
            raise format_error(journal.path, "another file", "nothing, or the file of an interrupted run")
        if not (resume or force):
            expected = "--resume, to go on with it, or --force, to start anew"
            raise format_error(journal.path, "an interrupted run", expected)
    elif output.exists() and not force:
        if resume:
            print(f"{output}: whole already, so that nothing is to be done; --force starts anew", file=sys.stderr)
            return
        raise format_error(output, "an output that exists", "the path of a new one, or --force to replace it")
    _check_replaceable(output, writer)
    with closing(journal):
        num_done = journal.resume() if is_interrupted and not force else journal.start()
        total = None if STANDARD_INPUT in inputs else sum(1 for _ in all_items(source, inputs))
        ends: List[int] = []
        items = all_items(source, inputs, ends)
        for number in range(num_done):
            if next(items, None) is None:
                found = f"{number} items in the input, of which {num_done} have been predicted already"
                raise format_error(journal.path, found, "the input of the interrupted run")
        options: Dict[str, Any] = {"unit": " items", "desc": "tagging", "smoothing": 0, "mininterval": 0.5}
        with progress_bar(total=total, initial=num_done, **options) as progress:
            _predict(predict(tagger, _chunks(items)), journal, num_done, writer is not None, errors, progress)
    _finish(tagger, journal, output, writer, ends)


def _check_replaceable(output: Path, writer: Optional[AnnotationWriter]) -> None:
    check_replaceable(output, () if writer is None else writer.folder_endings)


def _check_output(output: Path, inputs: Sequence[str]) -> None:
    for is_bad, found in (
        (is_special(output), "what is neither a file nor a folder"),
        (not output.name, "the name of no file"),
        (not output.parent.is_dir(), f"no folder {output.parent}"),
    ):
        if is_bad:
            raise format_error(output, found, "the path of a new output")
    check_is_no_input(output, inputs)


def _predict(
    chunks: Iterator[Tuple[Chunk, Predictions]],
    journal: "Journal",
    num_done: int,
    keep_inputs: bool,
    errors: str,
    progress: tqdm,
) -> None:
    """Writes predictions into the journal."""
    num_words, num_errors, start = 0, 0, time.monotonic()
    for chunk, predictions in chunks:
        entries: List[Dict[str, Any]] = []
        for item, prediction in zip(chunk, predictions, strict=True):
            if "error" not in prediction:
                entries.append(with_inputs(item.inputs, prediction) if keep_inputs else prediction)
                num_words += sum(len(part.get("words", ())) for part in prediction.get("sentences", [prediction]))
                continue
            message = f"{item.location}: {prediction['error']}"
            if errors == "raise":
                journal.append(entries)
                raise ConfigurationError(message)
            num_errors += 1
            entries.append({"error": message, "index": num_done + len(entries)})
        journal.append(entries)
        num_done += len(entries)
        speed = f"{num_words / (time.monotonic() - start):,.0f} words/s"
        progress.set_description_str(f"tagging, {speed}", refresh=False)
        progress.update(len(entries))
    if num_errors:
        print(f"{num_errors} items could not be predicted", file=sys.stderr)


def _chunks(items: Iterator[SourceItem]) -> Iterator[Chunk]:
    chunk: Chunk = []
    size = 0
    for item in items:
        chunk.append(item)
        size += _num_tokens(item.inputs)
        if size >= _CHUNK_TOKENS or len(chunk) >= _CHUNK_ITEMS:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _num_tokens(inputs: Any) -> int:
    """Estimates the number of tokens of an item."""
    if isinstance(inputs, str):
        return 1 + len(inputs) // _CHARACTERS_PER_TOKEN
    if isinstance(inputs, dict):
        words = inputs.get("words")
        return len(words) if isinstance(words, list) else sum(map(_num_tokens, inputs.values()))
    return sum(map(_num_tokens, inputs)) if isinstance(inputs, list) else 0


def _finish(
    tagger: Tagger, journal: "Journal", output: Path, writer: Optional[AnnotationWriter], ends: Sequence[int]
) -> None:
    """Writes the output from a journal that is complete, and removes the journal. `ends` is as in `documents`."""
    unfinished = output.with_name(f"{output.name}.journal.output")
    if unfinished.is_dir():
        shutil.rmtree(unfinished)
    unfinished.unlink(missing_ok=True)
    try:
        if writer is None:
            with unfinished.open("w", encoding="utf-8") as file:
                for entry in journal.entries():
                    file.write(json.dumps(entry) + "\n" if "error" in entry else tagger.predictor.dump_line(entry))
        else:
            with writer.open(unfinished):
                for document in documents(journal.entries(), isinstance(writer, BratWriter), ends):
                    writer.write(document)
    except OSError as error:
        expected = "room for the output; the same command with --resume goes on"
        # An error of pyarrow has no strerror.
        raise format_error(output, error.strerror or str(error), expected) from error
    # The folder may have other files since the run began.
    _check_replaceable(output, writer)
    if output.is_dir():
        shutil.rmtree(output)
    os.replace(unfinished, output)
    journal.path.unlink()
    if writer is not None and writer.losses:
        print(f"left out, as the format cannot express it: {writer.lost()}", file=sys.stderr)


class Journal:
    """
    A file with the predictions of a run so far: a line with the settings of the run, and a JSON object a line for each
    item. Lines up to the last line end are whole, however the run ends, and another run goes on after them.
    """

    def __init__(self, path: Path, settings: Dict[str, Any]) -> None:
        self.path = path
        self._header = json.dumps({_MARK: settings}).encode() + b"\n"
        self._settings = settings
        self._file = -1
        self._size = 0

    def is_ours(self) -> bool:
        """Returns whether a file is a journal, and not something else of the same name."""
        with self.path.open("rb") as file:
            beginning = file.read(len(_BEGINNING))
        # The run may have ended in the middle of its first line.
        return _BEGINNING.startswith(beginning)

    def start(self) -> int:
        """Begins a new journal, with 0 items. Raises `ConfigurationError` where there is no room for it."""
        self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
        self._size = 0
        self._write(self._header)
        return 0

    def resume(self) -> int:
        """Goes on after the last whole line, and returns the number of items. Raises the errors of `_check`."""
        num_lines = size = 0
        with self.path.open("rb") as file:
            header = file.readline()
            if header.endswith(b"\n"):
                self._check(header)
                size = len(header)
            for line in file:
                if line.endswith(b"\n"):
                    num_lines += 1
                    size += len(line)
        if size == 0:
            return self.start()
        self._file = os.open(self.path, os.O_WRONLY)
        self._size = size
        self._cut_off()
        return num_lines

    def append(self, entries: List[Dict[str, Any]]) -> None:
        """Adds entries. Raises `ConfigurationError` where they cannot be written; then none of them is there."""
        self._write(b"".join(json.dumps(entry).encode() + b"\n" for entry in entries))

    def entries(self) -> Iterator[Dict[str, Any]]:
        """Yields all entries."""
        with self.path.open("rb") as file:
            file.readline()
            yield from map(json.loads, file)

    def close(self) -> None:
        """Closes the file, which stays."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _check(self, header: bytes) -> None:
        """Raises `ConfigurationError` where the first line is not that of a run with the same settings."""
        try:
            before = json.loads(header)[_MARK]
        except (ValueError, KeyError, TypeError):
            raise format_error(self.path, "another file", "that of an interrupted run") from None
        for name, value in self._settings.items():
            if before.get(name) != value:
                expected = f"the {name} {value!r} of the run that is to go on; --force starts anew"
                raise format_error(self.path, f"a run with the {name} {before.get(name)!r}", expected)

    def _write(self, content: bytes) -> None:
        try:
            written = 0
            while written < len(content):
                written += os.write(self._file, content[written:])
            os.fsync(self._file)
        except OSError as error:
            self._cut_off()
            remedy = "its lines are whole, and the same command with --resume goes on after them"
            raise ConfigurationError(f"{self.path}: {error.strerror}; {remedy}") from error
        self._size += len(content)

    def _cut_off(self) -> None:
        """Removes all after the last whole line."""
        os.ftruncate(self._file, self._size)
        os.lseek(self._file, self._size, os.SEEK_SET)
