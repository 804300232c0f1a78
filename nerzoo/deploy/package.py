"""Packages of models: wheels that pip installs and `nerzoo.zoo` finds by their names."""

import base64
import hashlib
import json
import re
import zipfile
from pathlib import Path
from typing import Dict, Optional

from nerzoo import archives
from nerzoo.errors import configuration_error, worded
from nerzoo.files import written_whole
from nerzoo.formats.lines import AnyPath
from nerzoo.runtime.word_input import TOKENIZER, ModelFolder
from nerzoo.version import __version__
from nerzoo.zoo.finding import CARD, ENTRY_POINTS, is_exported, read_card

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def package(archive: AnyPath, name: str, folder: AnyPath = ".", card_file: Optional[AnyPath] = None) -> Path:
    """
    Writes a wheel with a model, an archive or an exported tagger, into a folder, and returns its path. pip installs it,
    and `nerzoo.Tagger.load` finds it by its name. `card_file` is the card of the model, by default the one beside it.
    Raises `ConfigurationError` where the name does not fit, or the model or the card cannot be read.

    The format is that of the
    [specification](https://packaging.python.org/en/latest/specifications/binary-distribution-format/).
    """
    if not _NAME.fullmatch(name):
        raise configuration_error(f"found the name {name!r}, expected small letters, digits and hyphens between them")
    path = archives.find(archive)
    with worded():
        files = _model_files(path)
        if card_file is None and path.is_dir() and (path / CARD).is_file():
            card_file = path / CARD
        card = {} if card_file is None else read_card(Path(card_file))
    module = f"nerzoo_model_{name.replace('-', '_')}"
    contents = {f"{module}/{file}": content for file, content in files.items()}
    contents[f"{module}/__init__.py"] = b""
    contents[f"{module}/{CARD}"] = json.dumps({**card, "nerzoo": __version__}, ensure_ascii=False).encode()
    major, minor, *_ = __version__.split(".")
    needed = "[tokenizers]" if any(file.endswith(TOKENIZER) for file in files) else ""
    metadata = {
        "Metadata-Version": "2.1",
        "Name": module.replace("_", "-"),
        "Version": __version__,
        "Summary": " ".join(str(card.get("description", f"{name}: a model for nerzoo")).split()),
        "License": " ".join(str(card.get("licence", "")).split()),
        "Requires-Dist": f"nerzoo{needed}>={major}.{minor}.dev0,<{major}.{int(minor) + 1}.dev0",
    }
    wheel = {"Wheel-Version": "1.0", "Generator": "nerzoo", "Root-Is-Purelib": "true", "Tag": "py3-none-any"}
    info = f"{module}-{__version__}.dist-info"
    contents[f"{info}/METADATA"] = _headers(metadata)
    contents[f"{info}/WHEEL"] = _headers(wheel)
    contents[f"{info}/entry_points.txt"] = f"[{ENTRY_POINTS}]\n{name} = {module}\n".encode()
    record = "".join(f"{file},sha256={_digest(content)},{len(content)}\n" for file, content in contents.items())
    contents[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    target = Path(folder) / f"{module}-{__version__}-py3-none-any.whl"
    with written_whole(target) as unfinished, zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as file:
        for member, content in contents.items():
            # Without the time, so that the same model makes the same wheel.
            file.writestr(zipfile.ZipInfo(member), content, zipfile.ZIP_DEFLATED)
    return target


def _model_files(path: Path) -> Dict[str, bytes]:
    """Returns the files of a model, after a check that they are whole."""
    if is_exported(path):
        ModelFolder(path)
        return {file.name: file.read_bytes() for file in sorted(path.iterdir()) if file.is_file() and file.name != CARD}
    with archives.unpacked(path):
        return {archives.ARCHIVE_NAME: archives.content(path)}


def _headers(values: Dict[str, str]) -> bytes:
    return "".join(f"{key}: {value}\n" for key, value in values.items() if value).encode()


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
