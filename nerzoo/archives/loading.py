"""Archives loaded without a log line, a progress bar, or code of whoever made them."""

import logging
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, Union

import torch
from allennlp.common import plugins
from allennlp.common.checks import ConfigurationError
from allennlp.models.archival import Archive, load_archive
from huggingface_hub.utils import are_progress_bars_disabled, disable_progress_bars, enable_progress_bars

from nerzoo.archives.allowed import allowing
from nerzoo.archives.parts import find
from nerzoo.configuration_check import UnknownTypeError
from nerzoo.errors import in_short

_NOISY = ("allennlp", "cached_path", "nerzoo")


def load(
    archive: Union[str, PathLike],
    device: Union[None, int, str, torch.device] = None,
    overrides: Union[None, str, Dict[str, Any]] = None,
    allow: Iterable[str] = (),
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
    allow : `Iterable[str]`, optional
        Files, addresses, models of the hub and class paths that the configuration may name, beside those of the
        environment variable `NERZOO_ALLOW` and those of models that were trained here.

    # Raises

    `ConfigurationError` where there is no archive or part of one is missing or damaged, or its configuration is not
    that of a model that is known here, or names what is not allowed.
    """
    if isinstance(allow, str):
        raise ConfigurationError(f"found allow = {allow!r}, expected a list of names")
    with _quiet(), allowing(allow):
        path = find(archive)
        number = device_number(device)
        try:
            return _load(archive, path, number, overrides or "")
        except ConfigurationError as error:
            if not isinstance(error.__cause__, UnknownTypeError):
                raise
        # Something that importing nerzoo does not register: AllenNLP's rarer parts, or those of its plugins.
        plugins.import_plugins()
        return _load(archive, path, number, overrides or "")


def _load(archive: Union[str, PathLike], path: Path, device: int, overrides: Union[str, Dict[str, Any]]) -> Archive:
    try:
        return load_archive(path, device, overrides)
    except ConfigurationError as error:
        if str(archive) in str(error):
            raise
        raise ConfigurationError(f"{archive}: {error}") from error


def device_number(device: Union[None, int, str, torch.device]) -> int:
    """Returns the number of a GPU, or -1 for the CPU. Raises `ConfigurationError` where there is no such device."""
    if device is None:
        return 0 if torch.cuda.is_available() else -1
    if isinstance(device, int):
        number = device
    else:
        try:
            found = torch.device(device)
        except (RuntimeError, TypeError) as error:
            raise ConfigurationError(f"found the device {device!r}: {in_short(error)}") from None
        number = -1 if found.type == "cpu" else found.index or 0
        if found.type not in ("cpu", "cuda"):
            raise ConfigurationError(f"found the device {device!r}, expected 'cpu' or 'cuda:0'")
    if number < -1:
        raise ConfigurationError(f"found the device {device!r}, expected -1, the CPU, or the number of a GPU")
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
