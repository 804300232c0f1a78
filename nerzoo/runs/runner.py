"""
The resumable runner under `bench`, `cross-validate`, `cross-predict`, `curve` and the tables of experiments.

A run has a folder of its own. It is done when its product, a file or a folder that is written last and in one step, is
there. Runs without a product are missing; the same command does them, from the last checkpoint where there is one.
"""

import gc
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import (
    Any,
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Protocol,
    Sequence,
    TextIO,
    Tuple,
    TypeVar,
)

from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.models.archival import CONFIG_NAME

from nerzoo.errors import format_error
from nerzoo.files import digest, read_run_file, remove_unfinished, write_json
from nerzoo.training.train_model import train_model

LOG_NAME = "log"
SETTINGS_NAME = "settings.json"
"""The settings that runs in the folders beside it share."""

_OTHERS = "another process is at it"

_T = TypeVar("_T")


class TrainingRun(NamedTuple):
    """A run that trains a model by a configuration."""

    name: str
    folder: Path
    product: Path
    config: Params


class Run(Protocol):
    """A run, by its name in messages, its folder and its product."""

    @property
    def name(self) -> str: ...
    @property
    def folder(self) -> Path: ...
    @property
    def product(self) -> Path: ...


_Run = TypeVar("_Run", bound=Run)


def missing(runs: Iterable[_Run]) -> List[_Run]:
    """Lists the runs that are not done."""
    return [run for run in runs if not run.product.exists()]


def run_in_turn(
    runs: Sequence[_Run], work: Callable[[_Run], None], read: Callable[[Path], _T], show: Callable[[_T], str]
) -> Iterator[_T]:
    """
    Does missing runs in this process, one after the other. Reads the product of each run, also of those that were done
    before, prints it as `show` writes it, and yields it.
    """
    for number, run in enumerate(runs, start=1):
        progress = f"{run.name} ({number} of {len(runs)})"
        if not run.product.exists():
            print(f"{progress}: training", flush=True)
            work(run)
        result = read(run.product)
        print(f"{progress}: {show(result)}", flush=True)
        yield result


def run_side_by_side(runs: Iterable[_Run], work: Callable[[_Run], None], jobs: int = 1) -> List[_Run]:
    """
    Does missing runs, `jobs` at a time, and prints how they ended. `work` starts processes by `run_logged`; a run fails
    where one of them does. Another process that does the same runs is left alone. Returns the runs that it is at.
    """
    left, others = missing(runs), []
    with ThreadPoolExecutor(jobs) as pool:
        for number, (run, outcome) in enumerate(zip(left, pool.map(partial(_attempt, work), left), strict=True), 1):
            print(f"{run.name} ({number} of {len(left)}): {outcome}", flush=True)
            if outcome == _OTHERS:
                others.append(run)
    return others


def _attempt(work: Callable[[_Run], None], run: _Run) -> str:
    run.folder.mkdir(parents=True, exist_ok=True)
    path = run.folder / LOG_NAME
    with path.open("a") as log:
        if not lock(log):
            return _OTHERS
        try:
            if not run.product.exists():
                work(run)
        except subprocess.CalledProcessError:
            return f"FAILED, see {path}"
    return "done"


def lock(file: TextIO) -> bool:
    """Locks a file until it is closed. Returns false if another process has locked it."""
    # Only POSIX has it.
    import fcntl

    # Some network file systems have no locks.
    with suppress(OSError):
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def run_logged(folder: Path, arguments: Sequence[str], environment: Mapping[str, str]) -> None:
    """
    Runs Python in a process of its own, whose output goes to the log in the folder. Raises `CalledProcessError` where
    it fails.
    """
    with (folder / LOG_NAME).open("a", encoding="utf-8") as log:
        command, environment = [sys.executable, *arguments], {**os.environ, **environment}
        subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, env=environment, check=True)


def train(config: Params, folder: Path, **options: Any) -> None:
    """
    Trains a model as `nerzoo train` does, with options of `train_model`, from the last checkpoint in the folder if
    there is one. Raises `ConfigurationError` where there is one and `config.json` is cut off, or where the folder holds
    something else than a training.
    """
    # A trainer and its parts refer to each other; data and model of the training before would stay.
    gc.collect()
    # Before the first checkpoint there is nothing to recover, maybe not even a whole configuration.
    recover = any(folder.glob("training_state_*.th"))
    path = folder / CONFIG_NAME
    if recover:
        # AllenNLP reads the file, too, but its error would not name it.
        read_run_file(path, dict)
    # A training writes its configuration first: a folder without it is none, and must not be replaced.
    force = path.exists() and not recover
    train_model(config.duplicate(), str(folder), recover=recover, force=force, **options)


def validation_metric(place: str, config: Params) -> Tuple[str, bool]:
    """
    Returns the name of the metric that chooses the best epoch, and whether higher values are better. Raises
    `ConfigurationError`, which begins with `place`, where a configuration has no validation data or several metrics.
    """
    metric = config.get("trainer", {}).get("validation_metric", "-loss")
    if config.get("validation_data_path") is None:
        raise format_error(place, "no validation_data_path", "one, for the validation_metric")
    if not isinstance(metric, str):
        raise format_error(place, f"the validation_metric {json.dumps(metric)}", "a single one")
    return metric[1:], metric.startswith("+")


def start_or_resume(folder: Path, name: str, what: str, settings: Params, paths: Iterable[Any], *others: str) -> bool:
    """
    Writes settings, with the hashes of the data at `paths`, as the file `name` into a folder without runs, and returns
    true; `others` may be in it, too. In a folder with runs, compares them with those there. Raises `ConfigurationError`
    where these are others, or the folder holds something else; `what` is the kind of runs in messages.
    """
    path = folder / name
    if path.exists():
        before = read_run_file(path, dict)
        hashes = before.pop("sha256", None)
        # Where the first run found a mistake in the settings or the data, they may be corrected.
        if hashes is None or any(file.name not in (name, *others) for file in folder.iterdir()):
            found = differences(Params(before).as_flat_dict(), settings.as_flat_dict())
            check_is_same(what, folder, found + other_files(hashes or {}))
            return False
    check_is_empty(folder, name, name, *others)
    folder.mkdir(parents=True, exist_ok=True)
    write_json(path, {**settings.as_dict(quiet=True), "sha256": data_hashes(paths)})
    return True


def data_paths(config: Params) -> List[Any]:
    """Returns the paths of the data of a training, for `data_hashes`."""
    return [config.get(f"{part}_data_path") for part in ("train", "validation", "test")]


def data_hashes(paths: Iterable[Any]) -> Dict[str, str]:
    """
    Returns the SHA-256 of files and folders by their paths. `paths` are values of a configuration: paths, lists of them
    or `None`. URLs and patterns, which are no path of a file, are left out.
    """
    names = [name for path in paths for name in (path if isinstance(path, list) else [path]) if isinstance(name, str)]
    # The corpus `divided` reads parts of a file, `FILE#train` and `FILE#dev`.
    files = [name if os.path.exists(name) else name.rpartition("#")[0] for name in names]
    return {file: digest(file) for file in files if os.path.exists(file)}


def other_files(hashes: Mapping[str, str]) -> List[str]:
    """Names each file whose content is not what it was."""
    return [f"{path} is another file" for path, sha256 in hashes.items() if digest(path) != sha256]


def check_is_empty(folder: Path, settings_name: str, *others: str) -> None:
    """
    Raises `ConfigurationError` where a folder without its file of settings holds anything, apart from `others`, which
    are written before that file.
    """
    remove_unfinished(folder)
    if folder.exists() and any(path.name not in others for path in folder.iterdir()):
        raise ConfigurationError(f"found {folder} not empty and without {settings_name}, expected a new folder")


def differences(
    before: Mapping[str, Any], now: Mapping[str, Any], written: Callable[[Any], str] = json.dumps
) -> List[str]:
    """Describes each setting that is another one than before."""
    return [
        f"{name} is {written(now.get(name))} and was {written(before.get(name))}"
        for name in sorted({*before, *now})
        if now.get(name) != before.get(name)
    ]


def check_is_same(what: str, folder: Path, found: Sequence[str]) -> None:
    """Raises `ConfigurationError` where differences from the content of the folder were found."""
    if found:
        others = "; ".join(found)
        raise ConfigurationError(f"found another {what} in {folder}: {others}; expected the same or a new folder")
