"""Archives of models: found, checked and loaded."""

import io
import json
import logging
import pickle
import shutil
import tarfile
import zlib
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any, Dict, Iterator, List, Union

import cached_path as libraries_cached_path
import torch
from allennlp.common import plugins
from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import CACHE_DIRECTORY
from allennlp.models import Model, archival
from allennlp.models.archival import CONFIG_NAME, META_NAME, Archive, load_archive
from huggingface_hub.utils import are_progress_bars_disabled, disable_progress_bars, enable_progress_bars

ARCHIVE_NAME = "model.tar.gz"
CALIBRATION_NAME = "calibration.json"
"""What `allennlp calibrate` says of what it has fitted, in archives that it has written."""
_EXPECTED = "an archive of a model: model.tar.gz, or a folder with config.json, weights and vocabulary"
_NOISY = ("allennlp", "cached_path", "nerzoo")
_UNREADABLE = (
    OSError,
    EOFError,
    tarfile.TarError,
    zlib.error,
    pickle.UnpicklingError,
    RuntimeError,
    KeyError,
    ValueError,
)


def load(
    archive: Union[str, PathLike],
    device: Union[None, int, str, torch.device] = None,
    overrides: Union[None, str, Dict[str, Any]] = None,
) -> Archive:
    """
    Loads a model, without a log line or a progress bar.

    # Parameters

    archive : `Union[str, PathLike]`
        A file, as `allennlp train` writes it; a folder that has what would be in the file, or the file; a URL of the
        file; or `hf://owner/name` or `hf://owner/name@revision`, a repository that has the one or the other. What comes
        from elsewhere stays in AllenNLP's cache.
    device : `Union[int, str, torch.device]`, optional
        Where the model computes: `"cpu"`, `"cuda:0"`, or the number of a GPU, -1 being the CPU. By default the first
        GPU, or the CPU where there is none.
    overrides : `Union[str, Dict[str, Any]]`, optional
        Changes of the configuration, as `--overrides` has them.

    # Raises

    `ConfigurationError` where there is no archive or part of one is missing, or its configuration is not that of a
    model that is known here.
    """
    with _quiet():
        path = find(archive)
        number = device_number(device)
        config = read_config(path)
        model_type = (config.get("model") or {}).get("type") if isinstance(config, dict) else None
        if not isinstance(model_type, str):
            raise ConfigurationError(
                f"{archive}: found a {CONFIG_NAME} without the type of a model, expected {_EXPECTED}"
            )
        try:
            if model_type not in Model.list_available():
                raise ConfigurationError(f"{model_type} is not a registered name for 'Model'")
            return _load(archive, path, number, overrides or "")
        except ConfigurationError as error:
            if "is not a registered name for" not in str(error):
                raise
        # Something that importing nerzoo does not register: AllenNLP's rarer parts, or those of its plugins.
        plugins.import_plugins()
        if model_type not in Model.list_available():
            raise ConfigurationError(
                f"{archive}: found a model of the type {model_type!r}, which no package registers that has been "
                "imported, expected one of nerzoo's, or that the package is imported before"
            )
        return _load(archive, path, number, overrides or "")


def _load(archive: Union[str, PathLike], path: Path, device: int, overrides: Union[str, Dict[str, Any]]) -> Archive:
    try:
        return load_archive(path, device, overrides)
    except _UNREADABLE as error:
        lines = str(error).strip().splitlines() or [type(error).__name__]
        found = " ".join(line.strip() for line in lines[:3])
        raise ConfigurationError(f"{archive}: found an archive that cannot be loaded ({found})") from error


def find(archive: Union[str, PathLike]) -> Path:
    """
    Returns the path of an archive, a file or a folder, after downloading it where it is elsewhere. Raises
    `ConfigurationError` where there is none, or a folder lacks a part of one.
    """
    try:
        path = Path(libraries_cached_path.cached_path(archive, cache_dir=CACHE_DIRECTORY, quiet=True))
    # Errors of files, of connections and of the hub, and addresses that are none.
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{archive}: found nothing there ({error}), expected {_EXPECTED}") from error
    if not path.is_dir():
        return path
    if (path / ARCHIVE_NAME).exists() and not (path / CONFIG_NAME).exists():
        return path / ARCHIVE_NAME
    _check_folder(archive, path)
    return path


def unpack(archive: Union[str, PathLike], folder: Path) -> None:
    """
    Unpacks an archive into a folder, or copies what loading needs of an archive that is a folder itself. Raises
    `ConfigurationError` where there is none, or a part of it is missing.
    """
    path = find(archive)
    if path.is_dir():
        for part in _parts(path):
            if part.is_dir():
                shutil.copytree(part, folder / part.name)
            else:
                shutil.copy(part, folder)
        return
    try:
        with tarfile.open(path) as file:
            file.extractall(folder, filter="data")
    except _UNREADABLE as error:
        found = f"an archive that cannot be read ({error})"
        raise ConfigurationError(f"{archive}: found {found}, expected {_EXPECTED}") from error
    _check_folder(archive, folder)


def content(path: Path) -> bytes:
    """Returns the bytes of an archive; of a folder those of an archive with what is needed to load it."""
    if not path.is_dir():
        return path.read_bytes()
    packed = io.BytesIO()
    # The cache of the hub has links.
    with tarfile.open(fileobj=packed, mode="w:gz", dereference=True) as file:
        for part in _parts(path):
            file.add(part, part.name)
    return packed.getvalue()


def _parts(folder: Path) -> List[Path]:
    """Returns what loading needs of a folder, and what it reads if it is there."""
    needed = [folder / CONFIG_NAME, Path(archival.get_weights_path(folder)), folder / "vocabulary"]
    others = (folder / META_NAME, folder / CALIBRATION_NAME)
    return needed + [path for path in others if path.exists()]


def _check_folder(archive: Union[str, PathLike], folder: Path) -> None:
    missing = [part.name for part in _parts(folder) if not part.exists()]
    if missing:
        raise ConfigurationError(f"{archive}: found no {', '.join(missing)} in it, expected {_EXPECTED}")


def read_config(path: Path) -> Any:
    """Returns the configuration in an archive, as it is there. Raises `ConfigurationError` where there is none."""
    try:
        if path.is_dir():
            return json.loads((path / CONFIG_NAME).read_bytes())
        with tarfile.open(path, "r:gz") as file:
            # What `allennlp train` packs first.
            member = next((member for member in file if Path(member.name) == Path(CONFIG_NAME)), None)
            content = None if member is None else file.extractfile(member)
            if content is None:
                raise ValueError(f"no {CONFIG_NAME}")
            return json.loads(content.read())
    except _UNREADABLE as error:
        raise ConfigurationError(f"{path}: found no configuration of a model ({error}), expected {_EXPECTED}") from None


def device_number(device: Union[None, int, str, torch.device]) -> int:
    """Returns the number of a GPU, or -1 for the CPU. Raises `ConfigurationError` where there is no such device."""
    if device is None:
        return 0 if torch.cuda.is_available() else -1
    if isinstance(device, int):
        number = device
    else:
        try:
            found = torch.device(device)
        except RuntimeError as error:
            raise ConfigurationError(f"found the device {device!r}: {error}") from None
        number = -1 if found.type == "cpu" else found.index or 0
        if found.type not in ("cpu", "cuda"):
            raise ConfigurationError(f"found the device {device!r}, expected 'cpu' or 'cuda:0'")
    if number >= torch.cuda.device_count():
        raise ConfigurationError(f"found the device {device!r}, but this machine has {torch.cuda.device_count()} GPUs")
    return number


@contextmanager
def _quiet() -> Iterator[None]:
    """Keeps AllenNLP's log lines, several a module, and the bars of downloads from whoever only wants a model."""
    loggers = [logging.getLogger(name) for name in _NOISY]
    levels = [logger.level for logger in loggers]
    had_bars = not are_progress_bars_disabled()
    disable_progress_bars()
    for logger in loggers:
        logger.setLevel(max(logging.WARNING, logger.level))
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
        if had_bars:
            enable_progress_bars()
