import json
import os
import shutil
import sys
import time
from os import PathLike
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

from allennlp.common.checks import ConfigurationError
from tqdm import tqdm

from nerzoo.errors import format_error
from nerzoo.files import check_is_no_input, is_special
from nerzoo.formats.brat import BratWriter
from nerzoo.formats.writer import AnnotationWriter
from nerzoo.inference.journal import Journal
from nerzoo.inference.ner import NerPredictor
from nerzoo.inference.sources import STANDARD_INPUT, Source, SourceItem, all_items, documents, with_inputs
from nerzoo.inference.tagger import Tagger
from nerzoo.inference.workers import Chunk, Predictions, predict_chunks

_CHUNK_TOKENS = 16_384
_CHUNK_ITEMS = 2_000
_CHARACTERS_PER_TOKEN = 5

Predict = Callable[[Tagger, Iterator[Chunk]], Iterator[Tuple[Chunk, Predictions]]]
"""Yields each chunk with its predictions, in order."""


def tag(
    tagger: Tagger,
    source: Source,
    inputs: Sequence[str],
    output: Union[str, PathLike],
    writer: Optional[AnnotationWriter] = None,
    settings: Optional[Dict[str, Any]] = None,
    predict: Predict = predict_chunks,
    resume: bool = False,
    force: bool = False,
    errors: str = "raise",
) -> None:
    """
    Predicts files of any size into a file or folder, which appears when it is whole. Until then predictions are in a
    `Journal` beside it, `OUTPUT.journal`, from which an interrupted run goes on.

    # Parameters

    tagger : `Tagger`
    source : `Source`
    inputs : `Sequence[str]`
        Paths or URLs; `-` is the standard input.
    output : `Union[str, PathLike]`
    writer : `AnnotationWriter`, optional
        The format of the output; by default, that of `allennlp predict`.
    settings : `Dict[str, Any]`, optional
        What a run that goes on must have in common with the one before, besides the inputs.
    predict : `Callable[[Tagger, Iterator[Chunk]], Iterator[Tuple[Chunk, Predictions]]]`, optional
        What predicts: `predict_chunks`, in this process, which is the default, or in several ones; `predict_over_ray`.
    resume : `bool`, optional (default = `False`)
        Whether to go on with an interrupted run, if there is one, and do nothing where the output is whole.
    force : `bool`, optional (default = `False`)
        Whether to replace an output that exists, once the new one is whole, and to give up an interrupted run.
    errors : `str`, optional (default = `"raise"`)
        As in `Tagger`; the errors of `"yield"` are in the place of predictions, or left out where there is a writer.

    # Raises

    `ConfigurationError` where an output or an interrupted run exists and nothing says what is to become of it, the
    output is an input, an item cannot be predicted, which it names by its place, or there is no room.
    """
    # A link stays one.
    output = Path(output).resolve() if Path(output).is_symlink() else Path(output)
    if writer is not None and not isinstance(tagger.predictor, NerPredictor):
        raise ConfigurationError("found a model that does not tag words, expected no format but jsonl for it")
    _check_output(output, inputs)
    journal = Journal(output.with_name(f"{output.name}.journal"), {**(settings or {}), "inputs": _facts(inputs)})
    done = 0
    if journal.path.exists():
        if not journal.is_ours():
            raise format_error(journal.path, "another file", "nothing, or the file of an interrupted run")
        if not (resume or force):
            expected = "--resume, to go on with it, or --force, to start anew"
            raise format_error(journal.path, "an interrupted run", expected)
    elif output.exists() and not force:
        if resume:
            return
        raise format_error(output, "an output that exists", "the path of a new one, or --force to replace it")
    try:
        if journal.path.exists() and not force:
            done = journal.resume()
        else:
            journal.start()
        _predict(tagger, source, inputs, journal, done, writer, predict, errors)
    finally:
        journal.close()
    _finish(tagger, journal, output, writer)


def _predict(
    tagger: Tagger,
    source: Source,
    inputs: Sequence[str],
    journal: Journal,
    done: int,
    writer: Optional[AnnotationWriter],
    predict: Predict,
    errors: str,
) -> None:
    total = None if STANDARD_INPUT in inputs else sum(1 for _ in all_items(source, inputs))
    items = all_items(source, inputs)
    for number in range(done):
        if next(items, None) is None:
            found = f"{number} items in the input, of which {done} have been predicted already"
            raise format_error(journal.path, found, "the input of the interrupted run")
    num_words, num_errors, start = 0, 0, time.monotonic()
    with tqdm(total=total, initial=done, unit=" items", desc="tagging", smoothing=0, mininterval=0.5) as bar:
        for chunk, predictions in predict(tagger, _chunks(items)):
            entries: List[Dict[str, Any]] = []
            for item, prediction in zip(chunk, predictions, strict=True):
                if "error" in prediction:
                    if errors == "raise":
                        journal.append(entries)
                        raise ConfigurationError(f"{item.location}: {prediction['error']}")
                    num_errors += 1
                    entries.append({"error": f"{item.location}: {prediction['error']}", "index": done + len(entries)})
                else:
                    entries.append(prediction if writer is None else with_inputs(item.inputs, prediction))
                    num_words += sum(len(part.get("words", ())) for part in prediction.get("sentences", [prediction]))
            journal.append(entries)
            done += len(entries)
            bar.update(len(entries))
            bar.set_description_str(f"tagging, {num_words / (time.monotonic() - start):,.0f} words/s")
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
    """Returns about how many tokens an item has."""
    if isinstance(inputs, str):
        return 1 + len(inputs) // _CHARACTERS_PER_TOKEN
    if isinstance(inputs, dict):
        if isinstance(inputs.get("words"), list):
            return len(inputs["words"])
        return sum(map(_num_tokens, inputs.values()))
    return sum(map(_num_tokens, inputs)) if isinstance(inputs, list) else 0


def _finish(tagger: Tagger, journal: Journal, output: Path, writer: Optional[AnnotationWriter]) -> None:
    """Writes the output from a journal that is complete, and removes the journal."""
    unfinished = output.with_name(f"{output.name}.journal.output")
    if unfinished.is_dir():
        shutil.rmtree(unfinished)
    unfinished.unlink(missing_ok=True)
    try:
        if writer is None:
            with unfinished.open("w", encoding="utf-8") as file:
                file.writelines(_lines(tagger, journal.entries()))
        else:
            with writer.open(unfinished):
                for document in documents(journal.entries(), by_file=isinstance(writer, BratWriter)):
                    writer.write(document)
    except OSError as error:
        expected = "room for the output; the same command with --resume goes on"
        # That of pyarrow has a text alone.
        raise format_error(output, error.strerror or str(error), expected) from error
    if output.is_dir():
        shutil.rmtree(output)
    os.replace(unfinished, output)
    journal.path.unlink()
    if writer is not None and writer.losses:
        print(f"{output}: left out, as the format cannot express it: {writer.lost()}", file=sys.stderr)


def _lines(tagger: Tagger, entries: Iterable[Dict[str, Any]]) -> Iterator[str]:
    for entry in entries:
        yield json.dumps(entry) + "\n" if "error" in entry else tagger.predictor.dump_line(entry)


def _check_output(output: Path, inputs: Sequence[str]) -> None:
    if is_special(output):
        raise format_error(output, "what is neither a file nor a folder", "the path of a new output")
    if not output.name:
        raise format_error(output, "the name of no file", "the path of a new output")
    if not output.parent.is_dir():
        raise format_error(output, f"no folder {output.parent}", "the path of a new output")
    check_is_no_input(output, inputs)


def _facts(inputs: Sequence[str]) -> List[Any]:
    """Returns by what an input is known again: its path and, where it is here, its size."""
    return [[path, os.path.getsize(path) if os.path.isfile(path) else None] for path in inputs]
