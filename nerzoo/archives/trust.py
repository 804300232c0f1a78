"""
Trust in an archive's configuration: its class paths are not called, and its files and addresses are not read, unless
the user has allowed them by name or has trained the model on this machine.
"""

import hashlib
import json
import os
import re
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from itertools import takewhile
from os import PathLike
from pathlib import Path
from typing import Any, Callable, Dict, FrozenSet, Iterable, Iterator, Optional, Set, Tuple, Type, Union

from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import CACHE_ROOT
from spacy.util import is_package

from nerzoo.archives.pipelines import is_packed
from nerzoo.archives.transformers import packed_name

VARIABLE = "NERZOO_ALLOW"
"""The environment variable with the names that all archives may use, separated by commas."""
OWN_CONFIGURATIONS = Path(CACHE_ROOT) / "nerzoo-own-configurations"
"""The file with the SHA-256 of each configuration that this user has trained, beside AllenNLP's cache."""
READERS = ("dataset_reader", "validation_dataset_reader")
SECTIONS = (*READERS, "model", "data_loader", "validation_data_loader")
"""The parts of a configuration that are built to load a model and to evaluate it."""
OPTION = re.compile(
    r"(\w+_)?(archive|cache|dir|directory|files?|filename|first_pass|model_name|paths?|pretrained_model|treebank|urls?)(_path)?"
)
"""The options of AllenNLP's and nerzoo's components that name files, folders or models of the hub."""
# `blank:en` and `en_core_web_md` are spaCy's names of pipelines, which are installed as packages; others may be paths.
_PIPELINE = re.compile(r"blank:\w+|[a-z]{2,3}_\w+")
_FILE_NAME = re.compile(r"[\w+]+:/|/.|~|\.\.?/|.*/\.\./|[A-Za-z]:\\", re.DOTALL)

_allowed: ContextVar[FrozenSet[str]] = ContextVar("allowed", default=frozenset())
_refused: Set[str] = set()
_resolve_class_name: Callable[..., Tuple[Type, Optional[str]]] = Registrable.resolve_class_name.__func__  # type: ignore[attr-defined]


@contextmanager
def allowing(names: Iterable[str]) -> Iterator[None]:
    """Lets the archives that are loaded in the block use these names: files, URLs, models, class paths or options."""
    token = _allowed.set(_allowed.get() | frozenset(names))
    try:
        yield
    finally:
        _allowed.reset(token)


def check_trust(
    archive: Union[str, PathLike], config: Dict[str, Any], loaded: Dict[str, Any], overrides: Optional[Any] = None
) -> None:
    """
    Checks the configuration of an archive before anything is built. Raises `ConfigurationError` where `loaded`, which
    is `config` with overrides or a part of it, names files or addresses that neither the user nor overrides allow.
    """
    if is_own(config):
        return
    variable = os.environ.get(VARIABLE, "").split(",")
    allowed = _allowed.get() | set(filter(None, variable)) | set(strings(overrides))
    refuse(set(strings(config)) - allowed)
    check_named_files(archive, loaded, allowed)


def without_packed(config: Dict[str, Any], folder: Path) -> Dict[str, Any]:
    """
    Returns the configuration of an archive without each reader's `parser` whose pipeline is in the folder, and without
    the transformers of indexers that are.
    """
    kept = dict(config)
    transformer = packed_name(folder)
    for name in READERS:
        reader: Any = config.get(name)
        parser = reader.get("parser") if isinstance(reader, dict) else None
        if isinstance(parser, dict) and is_packed(folder, parser):
            kept[name] = {key: value for key, value in reader.items() if key != "parser"}
        if transformer is not None and isinstance(reader, dict):
            kept[name] = _without_transformer(kept[name], transformer)
    return kept


def _without_transformer(value: Any, name: str) -> Any:
    """Returns a part of a configuration without the objects that the indexer `transformer` of that name is built of."""
    if isinstance(value, list):
        return [_without_transformer(part, name) for part in value]
    if not isinstance(value, dict):
        return value
    is_indexer = value.get("type") == "transformer" and value.get("model_name") == name
    return {} if is_indexer else {key: _without_transformer(part, name) for key, part in value.items()}


def refuse(names: Iterable[str]) -> None:
    """Refuses class paths of a configuration from now on: parts of it are built long after the archive was loaded."""
    _refused.update(name for name in names if "." in name)


def resolve_registered_name(cls: Any, name: str) -> Tuple[Type, Optional[str]]:
    """Wraps `Registrable.resolve_class_name`. Raises `ConfigurationError` for a class path that was refused."""
    if name in _refused and name not in cls.list_available():
        found = f"found the type {name!r} in the configuration of an archive"
        remedy = f"if you trust it, allow it by name: {VARIABLE}={name}"
        raise ConfigurationError(f"{found}, expected a registered name of {cls.__name__}; {remedy}")
    return _resolve_class_name(cls, name)


def check_named_files(
    archive: Union[str, PathLike], config: Dict[str, Any], allowed: FrozenSet[str] = frozenset()
) -> None:
    """Raises `ConfigurationError` where loading a model would read files or use the network without permission."""
    for section in SECTIONS:
        for keys, value in _values(config.get(section)):
            names = set(takewhile(lambda key: isinstance(key, str), keys))
            # common/params.py, remove_keys_from_params: AllenNLP removes these options, as the weights are in the
            # archive. It does not look into lists.
            if section == "model" and names & {"pretrained_file", "initializer"}:
                continue
            # The files of a `mixture` are patterns below the folder of the data, which only reading the data reads.
            if keys[:2] == ("corpus", "parts") and keys[3:] == ("files",) and not _FILE_NAME.match(str(value)):
                continue
            name = next((key for key in reversed(keys) if not str(key).isdecimal()), section)
            if _reads(name, value) and not allowed & {name, str(value)}:
                raise ConfigurationError(
                    f"{archive}: found {'.'.join(map(str, (section, *keys)))} = {value!r} in its configuration, "
                    "expected nothing that makes loading read other files or use the network; if you trust it, allow "
                    f"it by name: {VARIABLE}={value if isinstance(value, str) else name}"
                )


def _values(value: Any) -> Iterator[Tuple[Tuple[Any, ...], Any]]:
    """Yields the values that are neither objects nor lists, each after its keys and indexes."""
    if not isinstance(value, (dict, list)):
        yield (), value
        return
    for key, part in value.items() if isinstance(value, dict) else enumerate(value):
        yield from (((key, *keys), found) for keys, found in _values(part))


def strings(value: Any) -> Iterator[str]:
    """Yields the strings among the values of a configuration."""
    return (found for _, found in _values(value) if isinstance(found, str))


def _reads(name: str, value: Any) -> bool:
    """Returns whether a component that gets this option reads a file or uses the network."""
    if not isinstance(value, str):
        return name == "trust_remote_code" and bool(value)
    if name == "pipeline":
        return not _PIPELINE.fullmatch(value)
    if name == "language":
        # common/util.py, get_spacy_model: downloads and installs the package where it is missing.
        return not is_package(value)
    if OPTION.fullmatch(name) or _FILE_NAME.match(value):
        return True
    return "/" in value.strip("/") and os.path.lexists(value)


def remember(config: Dict[str, Any]) -> None:
    """Records that the user has trained a configuration, so that what it names need not be allowed later."""
    if is_own(config):
        return
    # Where the file cannot be written, the user has to allow names as for other archives.
    with suppress(OSError):
        OWN_CONFIGURATIONS.parent.mkdir(parents=True, exist_ok=True)
        with open(OWN_CONFIGURATIONS, "a", encoding="ascii", opener=partial(os.open, mode=0o600)) as file:
            file.write(f"{_digest(config)}\n")


def is_own(config: Dict[str, Any]) -> bool:
    """Returns whether a model with this configuration was trained by this user on this machine."""
    try:
        return _digest(config) in OWN_CONFIGURATIONS.read_text(encoding="ascii").split()
    except (OSError, UnicodeDecodeError):
        return False


def _digest(config: Dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(config, sort_keys=True).encode()).hexdigest()
