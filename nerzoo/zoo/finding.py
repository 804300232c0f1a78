"""The models of the zoo: where they are, their names and their cards."""

import json
import os
import re
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

from nerzoo.errors import nearest
from nerzoo.files import digest
from nerzoo.runtime.word_input import CHECKSUMS, FORMAT, SETTINGS
from nerzoo.version import __version__

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints

DEFAULT_MODEL = "en"
CARD = "card.json"
ENTRY_POINTS = "nerzoo_models"
"""The group of entry points of installed packages with models: a name, and the Python package whose folder has it."""
FOLDERS = [Path(__file__).parent / "models", Path(__file__).parents[2] / "zoo"]
"""The folders with a folder for each model: in the distribution, and in a checkout of the repository."""
ENGINES = ("auto", "torch", "onnx")
"""The engines on a CPU: PyTorch; ONNX Runtime; or ONNX Runtime where the model can be exported, and else PyTorch."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_SHOWN = ("description", "score", "licence")


class ZooModel(NamedTuple):
    """A model of the zoo: its name, its folder, an exported tagger or an archive, and its card, perhaps empty."""

    name: str
    folder: Path
    card: Dict[str, Any]

    @property
    def size(self) -> int:
        """The size of the model's files in bytes."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())


def is_name(text: str) -> bool:
    """Returns whether a text may be the name of a model. A path of a file needs a `/`, or ends in `.tar.gz`."""
    return _NAME.fullmatch(text) is not None and not text.endswith(".tar.gz")


def is_exported(path: Union[str, PathLike]) -> bool:
    """Returns whether a folder is that of an exported tagger, perhaps a damaged one."""
    return Path(path, SETTINGS).is_file()


def kept_export(archive: Union[str, PathLike]) -> Optional[Path]:
    """
    Returns the folder in which the exported tagger of an archive is kept, beside AllenNLP's cache, once there is one;
    `None` where the archive is neither a file `.tar.gz` nor a folder with checksums, as the zoo has, or is exported
    itself. The folder is named after the content of the archive.
    """
    path = Path(archive)
    is_unpacked = (path / CHECKSUMS).is_file() and not is_exported(path)
    if not (is_unpacked or (path.name.endswith(".tar.gz") and path.is_file())):
        return None
    cache = Path(os.environ.get("ALLENNLP_CACHE_ROOT", Path.home() / ".allennlp"))
    return cache / "nerzoo-exported" / f"{digest(path)}-{__version__}-{FORMAT}"


def find_model(name: str) -> Optional[ZooModel]:
    """
    Returns the model with a name, or `None` where there is none. Raises `ValueError` where its card cannot be read, or
    its package was made for another version of nerzoo.
    """
    if not is_name(name):
        return None
    for folder in FOLDERS:
        if (folder / name / CARD).is_file():
            return ZooModel(name, folder / name, read_card(folder / name / CARD))
    return next(map(_packaged, _entry_points().select(name=name)), None)


def folder_of(model: Union[str, PathLike]) -> Union[str, PathLike]:
    """
    Returns the folder of the model with a name, or else the path or address that is given. Raises `ValueError` where
    there is neither, with the nearest name, and the errors of `find_model`.
    """
    found = find_model(model) if isinstance(model, str) else None
    if found is not None:
        return found.folder
    if isinstance(model, str) and is_name(model) and not Path(model).exists():
        raise ValueError(unknown(model))
    return model


def unknown(name: str) -> str:
    """Returns the message for a name that no model and no file has."""
    names = known_names()
    expected = nearest(name, names, None if names else "one that is installed: there is none")
    return f"{name}: found no model of the zoo and no file with this name, expected {expected}; `nerzoo zoo` lists all"


def all_models() -> Iterator[ZooModel]:
    """Yields all models, in order of their names. Raises the errors of `find_model`."""
    for name in known_names():
        model = find_model(name)
        if model is not None:
            yield model


def known_names() -> List[str]:
    """Returns the names of all models."""
    names = {path.parent.name for folder in FOLDERS for path in folder.glob(f"*/{CARD}")}
    return sorted(names | _entry_points().names)


def read_card(path: Path) -> Dict[str, Any]:
    """
    Reads a card: an object with `description`, `score` and `licence`, which `nerzoo zoo` shows, and anything else, such
    as data and attribution. Raises `ValueError` where it is none.
    """
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{path}: found no card of a model ({error}), expected a JSON object") from error
    wrong = not isinstance(card, dict) or [key for key in _SHOWN if not isinstance(card.get(key, ""), str)]
    if wrong:
        raise ValueError(f"{path}: found no card of a model, expected a JSON object, with texts as {', '.join(_SHOWN)}")
    return card


def _entry_points() -> "EntryPoints":
    # Its import takes a tenth of the time in which `nerzoo tag` starts.
    from importlib.metadata import entry_points

    return entry_points(group=ENTRY_POINTS)


def _packaged(entry_point: "EntryPoint") -> ZooModel:
    """Returns the model of an installed package, which is not imported."""
    spec = find_spec(entry_point.value)
    locations = spec.submodule_search_locations if spec else None
    folder = Path(locations[0]) if locations else Path(entry_point.value)
    card = read_card(folder / CARD)
    made_for = card.get("nerzoo", "another version")
    if _release(made_for) != _release(__version__):
        expected = f"one for {__version__}: make it again by `nerzoo package`"
        raise ValueError(f"{entry_point.name}: found a package for nerzoo {made_for}, expected {expected}")
    return ZooModel(entry_point.name, folder, card)


def _release(version: str) -> Tuple[str, ...]:
    """Returns major and minor version: releases that share them read the same models."""
    return tuple(version.split(".")[:2])
