"""The engine that predicts on a CPU: PyTorch, or ONNX Runtime, for taggers that can be exported."""

import logging
from typing import Any, Dict, Iterable, Union

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.models import Archive

from nerzoo import archives
from nerzoo.archives.trust import READERS
from nerzoo.errors import check_choice
from nerzoo.formats.lines import AnyPath
from nerzoo.inference.export_onnx import export_loaded
from nerzoo.models.sequence_tagger import TaggingModel
from nerzoo.zoo.finding import ENGINES, is_exported, kept_export

_logger = logging.getLogger(__name__)


def load(
    archive: AnyPath,
    device: Union[None, int, str, torch.device] = None,
    overrides: Union[None, str, Dict[str, Any]] = None,
    allow: Iterable[str] = (),
    engine: str = "auto",
) -> Archive:
    """
    Loads an archive as `nerzoo.archives.load` does, with the same errors, for one of the `ENGINES`. With `"auto"`, a
    tagger that can be exported, in a file `.tar.gz` or a folder with checksums, without overrides, extra outputs and a
    parser, is replaced on a CPU by its exported form, which is kept from the first time on. Raises `ConfigurationError`
    where `engine` is `"onnx"`, and a GPU or overrides are asked for, or the model cannot be exported.
    """
    check_choice("engine", engine, ENGINES)
    is_plain = not overrides and archives.device_number(device) < 0
    if engine == "onnx" and not is_plain:
        raise ConfigurationError("found the engine 'onnx' with a GPU or overrides, expected none: it is for the CPU")
    path = archives.find(archive)
    kept = kept_export(path) if engine != "torch" and is_plain else None
    if kept is None:
        if engine == "onnx" and not is_exported(path):
            expected = "expected a file .tar.gz or a folder with checksums for the engine 'onnx'"
            raise ConfigurationError(f"{archive}: found a folder without checksums, {expected}")
        return archives.load(archive, device, overrides, allow)
    if not is_exported(kept):
        loaded = archives.load(archive, device, overrides, allow)
        try:
            _check_outputs(loaded)
            export_loaded(loaded, kept)
        except (ConfigurationError, OSError) as error:
            if engine == "onnx":
                raise ConfigurationError(f"{archive}: {error}") from error
            _logger.info("%s: PyTorch predicts: %s", archive, error)
            return loaded
    return archives.load(kept, "cpu", allow=allow)


def _check_outputs(loaded: Archive) -> None:
    """Raises `ConfigurationError` where predictions have extra outputs, or a parser splits texts."""
    if isinstance(loaded.model, TaggingModel) and loaded.model.extra_outputs:
        names = ", ".join(loaded.model.extra_outputs)
        raise ConfigurationError(f"found the extra outputs {names}, expected none for ONNX Runtime")
    if any(loaded.config.get(name, {}).get("parser") is not None for name in READERS):
        raise ConfigurationError("found a parser in the dataset reader, expected none for ONNX Runtime")
