"""The writing of archives, with the checksums of their files."""

import glob
import hashlib
import io
import json
import os
import tarfile
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any, Dict, Iterable, Iterator, List, Optional, Union

from allennlp.models.archival import CONFIG_NAME, META_NAME

from nerzoo.archives import reading
from nerzoo.archives.pipelines import PIPELINE_NAME
from nerzoo.archives.reading import ARCHIVE_NAME, CHECKSUMS_NAME, check_folder, find, parts
from nerzoo.archives.transformers import TRANSFORMER_NAME
from nerzoo.archives.trust import is_own, remember
from nerzoo.files import check_is_new, digest, written_whole

_WEIGHTS_NAME = "weights.th"


class _Packer:
    """Adds members to an archive and records their checksums."""

    def __init__(self, file: tarfile.TarFile) -> None:
        self._file = file
        self._digests: Dict[str, str] = {}

    def add(self, path: Path, name: str) -> None:
        # A pattern may match a file that is already in the archive.
        if name in self._file.getnames():
            return
        self._file.add(path, name, recursive=False)
        if path.is_dir():
            for child in sorted(path.iterdir()):
                self.add(child, f"{name}/{child.name}")
        else:
            self._digests[name] = digest(path)

    def add_text(self, member: tarfile.TarInfo, text: str) -> None:
        content = text.encode()
        member.size = len(content)
        self.add_member(member, io.BytesIO(content))

    def add_member(self, member: tarfile.TarInfo, file: Optional[IO[bytes]]) -> None:
        sha256 = hashlib.sha256()

        def read(size: int) -> bytes:
            content = file.read(size) if file else b""
            sha256.update(content)
            return content

        # The content is hashed while tarfile reads it.
        self._file.addfile(member, SimpleNamespace(read=read) if file else None)
        if file:
            self._digests[member.name] = sha256.hexdigest()

    def add_checksums(self) -> None:
        self.add_text(tarfile.TarInfo(CHECKSUMS_NAME), _checksum_lines(self._digests))


@contextmanager
def _packed(file: Union[Path, IO[bytes]]) -> Iterator[_Packer]:
    target: Dict[str, Any] = {"name": file} if isinstance(file, Path) else {"fileobj": file}
    # The cache of the hub has links. Weights hardly compress: it takes seconds, both when they are written and when
    # they are read, and leaves nine tenths of them.
    with tarfile.open(**target, mode="w:gz", dereference=True, compresslevel=0) as tar:
        packer = _Packer(tar)
        yield packer
        packer.add_checksums()


def _checksum_lines(digests: Dict[str, str]) -> str:
    return "".join(f"{value}  {name}\n" for name, value in sorted(digests.items()))


def write_checksums(folder: Path, paths: Optional[Iterable[Path]] = None) -> None:
    """Writes the checksums of files and folders in a folder into it, by default those of the parts of an archive."""
    files = (file for path in paths or parts(folder) for file in [path, *path.rglob("*")] if file.is_file())
    digests = {file.relative_to(folder).as_posix(): digest(file) for file in files}
    (folder / CHECKSUMS_NAME).write_text(_checksum_lines(digests), encoding="utf-8")


def content(archive: Union[str, PathLike]) -> bytes:
    """Returns the bytes of an archive, packing one that is a folder. Raises `ConfigurationError` where it is none."""
    path = find(archive)
    if not path.is_dir():
        return path.read_bytes()
    check_folder(archive, path)
    file = io.BytesIO()
    with _packed(file) as packer:
        for part in parts(path):
            packer.add(part, part.name)
    return file.getvalue()


def archive_model_whole(
    serialization_dir: Union[str, PathLike],
    weights: str = "best.th",
    archive_path: Union[None, str, PathLike] = None,
    include_in_archive: Optional[List[str]] = None,
) -> str:
    """
    Writes the archive of a training as `allennlp.models.archival.archive_model` does, but whole or not at all, and with
    checksums. Returns its path. Raises `RuntimeError` where the weights or the configuration are missing.
    """
    folder = Path(serialization_dir)
    path = folder / ARCHIVE_NAME if archive_path is None else Path(archive_path)
    if path.is_dir():
        path = path / ARCHIVE_NAME
    for part, kind in ((folder / weights, "weights"), (folder / CONFIG_NAME, "config")):
        if not part.exists():
            raise RuntimeError(f"{kind} file '{part}' does not exist, unable to archive model")
    with written_whole(path) as unfinished, _packed(unfinished) as packer:
        packer.add(folder / CONFIG_NAME, CONFIG_NAME)
        packer.add(folder / weights, _WEIGHTS_NAME)
        packer.add(folder / "vocabulary", "vocabulary")
        for name in (META_NAME, PIPELINE_NAME, TRANSFORMER_NAME):
            if (folder / name).exists():
                packer.add(folder / name, name)
        for pattern in include_in_archive or ():
            for found in glob.glob(os.path.join(folder, pattern)):
                packer.add(Path(found), os.path.relpath(found, folder))
    remember(json.loads((folder / CONFIG_NAME).read_bytes()))
    return str(path)


def copy_archive(
    archive_file: Union[str, PathLike],
    output_file: Union[str, PathLike],
    config: Dict[str, Any],
    others: Optional[Dict[str, str]] = None,
) -> None:
    """Writes a copy of an archive, trusted as that is, with another configuration and the texts of `others` by name."""
    check_is_new(output_file)
    was_own = False
    texts = {CONFIG_NAME: json.dumps(config, indent=2), **(others or {})}
    with (
        written_whole(output_file) as unfinished,
        reading.opened(find(archive_file)) as (source, members),
        _packed(unfinished) as target,
    ):
        for member in members:
            file = source.extractfile(member)
            if file and member.name == CONFIG_NAME:
                was_own = is_own(reading.parse_config(file, member.size))
            text = texts.pop(member.name, None)
            if text is not None:
                target.add_text(member, text)
            elif member.name != CHECKSUMS_NAME:
                target.add_member(member, file)
        for name, text in texts.items():
            target.add_text(tarfile.TarInfo(name), text)
    if was_own:
        remember(config)
