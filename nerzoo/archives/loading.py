"""The loading of archives: their configurations are read and checked before anything in them is built."""

import logging
import os
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, Optional, Union

import torch
from allennlp.common import Params, plugins
from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import cached_path
from allennlp.common.params import parse_overrides, with_overrides
from allennlp.models.archival import Archive, load_archive
from huggingface_hub.utils import are_progress_bars_disabled, disable_progress_bars, enable_progress_bars

from nerzoo.archives.reading import UNREADABLE, check_folder, find, read_config, read_json, unpacked_archives
from nerzoo.archives.trust import SECTIONS, allowing, check_trust, without_packed
from nerzoo.configuration.check import UnknownTypeError, check_sections, read_configuration
from nerzoo.errors import format_error, in_short, worded
from nerzoo.runtime.word_input import ModelFolder
from nerzoo.zoo.finding import is_exported

_NOISY = ("allennlp", "cached_path", "nerzoo")


def load(
    archive: Union[str, PathLike],
    device: Union[None, int, str, torch.device] = None,
    overrides: Union[None, str, Dict[str, Any]] = None,
    allow: Iterable[str] = (),
) -> Archive:
    """
    Loads a model without a log line or a progress bar. `nerzoo.Tagger.load` describes the parameters. Raises
    `ConfigurationError` where the archive or a part of it is missing or damaged, or its configuration has unknown types
    or options, or names what is not allowed.
    """
    if isinstance(allow, str):
        raise ConfigurationError(f"found allow = {allow!r}, expected a list of names")
    with _quiet(), allowing(allow):
        path, number = find(archive), device_number(device)
        try:
            try:
                return load_archive(path, number, overrides or "")
            except UnknownTypeError:
                # Importing nerzoo does not register AllenNLP's rarer parts, nor those of its plugins.
                plugins.import_plugins()
                return load_archive(path, number, overrides or "")
        except ConfigurationError as error:
            if str(archive) in str(error):
                raise
            raise ConfigurationError(f"{archive}: {error}") from error


class ArchivedParams(Params):
    """`Params` for the configurations of archives, which are plain JSON; AllenNLP evaluates them as Jsonnet."""

    @classmethod
    def from_file(
        cls,
        params_file: Union[str, PathLike],
        params_overrides: Union[str, Dict[str, Any]] = "",
        ext_vars: Optional[dict] = None,
    ) -> Params:
        """Reads a `config.json` as plain JSON. Raises `ConfigurationError` where it or the overrides are not valid."""
        folder = os.path.dirname(params_file)
        archive = unpacked_archives.pop(folder, folder)
        if is_exported(folder):
            config = _exported_configuration(folder)
        else:
            check_folder(archive, Path(folder))
            config = read_config(archive, Path(folder))
        try:
            overrides = parse_overrides(params_overrides) if isinstance(params_overrides, str) else params_overrides
            if not isinstance(overrides, dict):
                raise ValueError(f"{overrides!r} is no object")
            loaded = with_overrides(config, overrides) if overrides else config
        # Jsonnet raises RuntimeError.
        except (ValueError, KeyError, RuntimeError) as error:
            found = f"overrides that do not fit its configuration: {in_short(error)}"
            raise ConfigurationError(f"{archive}: found {found}") from error
        for key, value in loaded.items():
            if key.endswith("dataset_reader") and not isinstance(value, dict):
                raise ConfigurationError(f"{archive}: found {key} = {value!r} in its configuration, expected an object")
        check_trust(archive, config, without_packed(loaded, Path(folder)), overrides)
        check_sections(loaded, SECTIONS)
        return Params(_sorted(loaded))


def _exported_configuration(folder: str) -> Dict[str, Any]:
    """Returns the configuration of an exported tagger, whose folder has none; overrides may change the corpus."""
    with worded():
        settings = ModelFolder(folder).settings
    if spans := settings.get("spans"):
        reader: Dict[str, Any] = {"type": "entity_spans", "corpus": "columns", "max_length": spans["max_length"]}
        return {"model": {"type": "exported_span_model"}, "dataset_reader": reader, "data_loader": {"batch_size": 32}}
    reads_documents = settings.get("documents", False)
    reader = {"type": "tagged_documents" if reads_documents else "tagged_sentences", "corpus": "columns"}
    # Tags without a coding scheme stand for themselves.
    reader |= {key: settings[key] for key in ("coding_scheme", "splitter") if settings.get(key) is not None}
    model = {"type": "exported_document_tagger" if reads_documents else "exported_tagger"}
    return {"model": model, "dataset_reader": reader, "data_loader": {"batch_size": 32}}


def _sorted(value: Any) -> Any:
    """Sorts keys as Jsonnet did when the model was trained: the order of embedders matters."""
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(part) for part in value] if isinstance(value, list) else value


def reader_configuration(path: str) -> Params:
    """
    Reads the configuration of a dataset reader. A file called `.json`, as in archives, is untrusted; any other one is a
    Jsonnet program of the user's. Raises `ConfigurationError` where it cannot be read, or names what is not allowed.
    """
    try:
        if not path.endswith(".json"):
            return read_configuration(path)
        config = read_json(Path(cached_path(path)))
    except UNREADABLE as error:
        raise format_error(path, f"no configuration ({error})", "one with a dataset_reader") from None
    check_trust(path, config, {key: value for key, value in config.items() if key.endswith("dataset_reader")})
    return Params(config)


def device_number(device: Union[None, int, str, torch.device]) -> int:
    """Returns the number of a GPU, or -1 for the CPU. Raises `ConfigurationError` where there is no such device."""
    if device is None:
        return 0 if torch.cuda.is_available() else -1
    number = device
    if not isinstance(number, int):
        try:
            found = torch.device(number)
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
    """Silences AllenNLP's log lines and the progress bars of downloads."""
    levels = {logger: logger.level for logger in map(logging.getLogger, _NOISY)}
    had_bars = not are_progress_bars_disabled()
    disable_progress_bars()
    for logger, level in levels.items():
        logger.setLevel(max(logging.WARNING, level))
    try:
        yield
    finally:
        for logger, level in levels.items():
            logger.setLevel(level)
        if had_bars:
            enable_progress_bars()
