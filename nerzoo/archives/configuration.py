"""
What the configuration of an archive makes loading read: files, and what is asked for over the network.

The configuration with which the model of an archive is made.
"""

import json
import os
import re
from os import PathLike
from pathlib import Path, PurePath
from typing import Any, Dict, FrozenSet, Iterator, Optional, Tuple, Union

from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import cached_path
from allennlp.common.params import parse_overrides, with_overrides
from spacy.util import is_package

from nerzoo.archives.allowed import VARIABLE, allowed_names, refuse, strings
from nerzoo.archives.own_configurations import is_own
from nerzoo.archives.parts import UNREADABLE, check_folder, read_config, read_json
from nerzoo.archives.unpacking import unpacked
from nerzoo.configuration_check import check_sections, read_configuration
from nerzoo.errors import in_short

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


_BUILT = ("dataset_reader", "validation_dataset_reader", "model", "data_loader", "validation_data_loader")
"""The parts of a configuration that are built to load a model and to evaluate it."""


class ArchivedParams(Params):
    """`Params` for the configurations of archives, which are plain JSON; AllenNLP evaluates them as Jsonnet."""

    @classmethod
    def from_file(
        cls,
        params_file: Union[str, PathLike],
        params_overrides: Union[str, Dict[str, Any]] = "",
        ext_vars: Optional[dict] = None,
    ) -> Params:
        """Reads the `config.json` of an archive. Raises what `loaded_configuration` raises."""
        folder = os.path.dirname(params_file)
        return Params(loaded_configuration(Path(folder), params_overrides, unpacked.pop(folder, folder)))


def loaded_configuration(
    folder: Path, overrides: Union[str, Dict[str, Any]], archive: Union[str, PathLike]
) -> Dict[str, Any]:
    """
    Returns the configuration of an archive in a folder, read as plain JSON.

    Where it is not the user's own, see `own_configurations`, none of its strings is the path of a class that is called,
    and it names no files and nothing on the network but what is allowed. What the overrides name the user has named.

    # Raises

    `ConfigurationError` where a part of the archive is missing or has changed, its configuration is none, names what is
    not allowed, does not fit the classes that it names, or does not have what the overrides change.
    """
    check_folder(archive, folder)
    config = read_config(archive, folder)
    try:
        given = parse_overrides(overrides) if isinstance(overrides, str) else overrides
        if not isinstance(given, dict):
            raise ValueError(f"{given!r} is no object")
        changed = with_overrides(config, given) if given else config
    # RuntimeError is Jsonnet's.
    except (ValueError, KeyError, RuntimeError) as error:
        found = f"overrides that do not fit its configuration: {in_short(error)}"
        raise ConfigurationError(f"{archive}: found {found}") from error
    for key, value in changed.items():
        if key.endswith("dataset_reader") and not isinstance(value, dict):
            raise ConfigurationError(f"{archive}: found {key} = {value!r} in its configuration, expected an object")
    _check(archive, config, changed, frozenset(strings(given)))
    check_sections(changed, _BUILT)
    # In the order that Jsonnet gives to a configuration, with which the model was trained: that of embedders matters.
    return json.loads(json.dumps(changed, sort_keys=True))


def reader_configuration(path: str) -> Params:
    """
    Returns the configuration in a file, of whose readers one is to be made: where it is called `.json`, as in archives,
    under the same conditions, and otherwise as a program in Jsonnet that the user has written or read.

    # Raises

    `ConfigurationError` where there is no file, it is not in its format, or names what is not allowed.
    """
    try:
        if not path.endswith(".json"):
            return read_configuration(path)
        config = read_json(Path(cached_path(path)))
    except UNREADABLE as error:
        raise ConfigurationError(
            f"{path}: found no configuration ({error}), expected one with a dataset_reader"
        ) from None
    readers = {key: value for key, value in config.items() if key.endswith("dataset_reader")}
    _check(path, config, readers, frozenset())
    return Params(config)


def _check(
    archive: Union[str, PathLike], config: Dict[str, Any], loaded: Dict[str, Any], named: FrozenSet[str]
) -> None:
    if not is_own(config):
        allowed = allowed_names() | named
        refuse(set(strings(config)) - allowed)
        check_named_files(archive, loaded, allowed)
