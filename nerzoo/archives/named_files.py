"""What the configuration of an archive makes loading read: files, and what is asked for over the network."""

import os
import re
from os import PathLike
from pathlib import PurePath
from typing import Any, Dict, FrozenSet, Iterator, Tuple, Union

from allennlp.common.checks import ConfigurationError
from spacy.util import is_package

from nerzoo.archives.allowed import VARIABLE

_LOADED = ("model", "dataset_reader", "validation_dataset_reader", "data_loader", "validation_data_loader")
OPTION = re.compile(
    r"(\w+_)?(archive|cache|dir|directory|files?|filename|first_pass|model_name|paths?|pretrained_model|urls?)(_path)?"
)
"""How AllenNLP's and nerzoo's components call the options that name files, folders or models of the hub."""
# `blank:en`, `en_core_web_sm`: no path, but what spaCy calls its pipelines, which are installed as packages.
_PIPELINE = re.compile(r"blank:\w+|[a-z]{2,3}_\w+")
_NAMES_OF_FILES = re.compile(r"[\w+]+:/|/.|~|\.\.?/|.*/\.\./|[A-Za-z]:\\", re.DOTALL)


def check_named_files(
    archive: Union[str, PathLike], config: Dict[str, Any], allowed: FrozenSet[str] = frozenset()
) -> None:
    """
    Raises `ConfigurationError` where loading the model of a configuration, or evaluating it, would read a file or ask
    the network for one, unless the name of the file, or of the option, is allowed.
    """
    for section in _LOADED:
        for key, value in _values(config.get(section), section == "model"):
            name = next((part for part in reversed(key) if not part.isdecimal()), section)
            if _reads(name, value) and not allowed & {name, str(value)}:
                raise ConfigurationError(
                    f"{archive}: found {'.'.join((section, *key))} = {value!r} in its configuration, expected nothing "
                    "that makes loading read other files or ask the network; if you trust it, allow it by name: "
                    f"{VARIABLE}={value if isinstance(value, str) else name}"
                )


def _values(value: Any, is_removed: bool) -> Iterator[Tuple[Tuple[str, ...], Any]]:
    """
    Yields the values that are neither objects nor lists, each after its keys. `is_removed` says whether AllenNLP takes
    out what names pretrained weights, which are in the archive.
    """
    if isinstance(value, dict):
        for key, part in value.items():
            # common/params.py, remove_keys_from_params, which does not look into lists.
            if not (is_removed and key in ("pretrained_file", "initializer")):
                yield from (((key, *keys), found) for keys, found in _values(part, is_removed))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from (((str(index), *keys), found) for keys, found in _values(part, False))
    elif value is not None:
        yield (), value


def _reads(name: str, value: Any) -> bool:
    if not isinstance(value, str):
        return name == "trust_remote_code" and bool(value)
    if name == "pipeline":
        return not _PIPELINE.fullmatch(value)
    if name == "language":
        # common/util.py, get_spacy_model: downloads and installs it where it is not.
        return not is_package(value)
    if OPTION.fullmatch(name) or _NAMES_OF_FILES.match(value):
        return True
    return "/" in value.strip("/") and _exists(value)


def _exists(path: str) -> bool:
    try:
        return os.path.lexists(PurePath(path))
    except (OSError, ValueError):
        return False
