"""Reading of archives within bounds: finds, checks and unpacks them, reads their weights, and words all errors."""

import gzip
import io
import json
import os
import shutil
import tarfile
import tempfile
import zipfile
import zlib
from contextlib import ExitStack, contextmanager
from os import PathLike
from pathlib import Path
from types import ModuleType
from typing import IO, Any, Dict, Iterator, List, Optional, Set, Tuple, Union

import cached_path as libraries_cached_path
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import CACHE_DIRECTORY
from allennlp.models import archival
from allennlp.models.archival import CONFIG_NAME, META_NAME
from allennlp.nn import util
from httpx import HTTPError

from nerzoo.archives.exported import restore
from nerzoo.archives.pipelines import PIPELINE_NAME
from nerzoo.archives.quantization import without_quantized
from nerzoo.archives.transformers import TRANSFORMER_NAME
from nerzoo.errors import extra, worded
from nerzoo.files import digest
from nerzoo.zoo.finding import folder_of, is_exported

ARCHIVE_NAME = "model.tar.gz"
CALIBRATION_NAME = "calibration.json"
"""The summary of `nerzoo calibrate`, in archives that it has written."""
SAFETENSORS_NAME = "model.safetensors"
"""The weights of a published model."""
CHECKSUMS_NAME = "checksums.sha256"
"""The checksums of the files in an archive, as `sha256sum --check` reads them. They find damage, not tampering."""
MAX_HEADER = 2**20
"""The largest header of a member, in bytes."""
MAX_MEMBERS = 10_000
"""The largest number of files and folders in an archive."""
MAX_UNPACKED = 2**30
"""The number of bytes that an archive of any size may unpack to."""
MAX_RATIO = 20
"""The factor of its own size that a larger archive may unpack to. Weights are compressed to nine tenths."""
MAX_CONFIG = 2**24
"""The largest configuration, in bytes."""
VARIABLE = "NERZOO_MAX_UNPACKED"
"""The environment variable with another limit of the unpacked size, in bytes."""
_FOLDERS = (PIPELINE_NAME, TRANSFORMER_NAME)
_EXPECTED = "an archive of a model: model.tar.gz, or a folder with config.json, weights and vocabulary"

UNREADABLE = (OSError, EOFError, tarfile.TarError, zlib.error, RuntimeError, KeyError, TypeError, ValueError)
"""The errors that a damaged archive raises."""

_read_state_dict = util.read_state_dict

unpacked_archives: Dict[str, str] = {}
"""The archive that each temporary folder was unpacked from, for error messages."""


def find(archive: Union[str, PathLike]) -> Path:
    """
    Returns the path of an archive, a file or a folder: of the model of the zoo with a name, or after a download if
    needed. Raises `ConfigurationError` where there is none.
    """
    with worded():
        archive = folder_of(archive)
    try:
        path = Path(libraries_cached_path.cached_path(archive, cache_dir=CACHE_DIRECTORY, quiet=True))
    # Errors of files, connections and the hub, and malformed addresses.
    except (OSError, ValueError, HTTPError) as error:
        raise _unreadable(archive, f"nothing there ({error})") from error
    if path.is_dir() and (path / ARCHIVE_NAME).exists() and not (path / CONFIG_NAME).exists():
        path = path / ARCHIVE_NAME
    if not (path.is_dir() or path.is_file()):
        raise _unreadable(archive, "something else than a file there")
    return path


def parts(folder: Path) -> List[Path]:
    """Returns the paths that loading needs in a folder, and those that it reads if they exist."""
    needed = [folder / CONFIG_NAME, weights_path(folder), folder / "vocabulary"]
    others = (folder / name for name in (META_NAME, CALIBRATION_NAME, *_FOLDERS))
    return needed + [path for path in others if path.exists()]


def check_folder(archive: Union[str, PathLike], folder: Path) -> None:
    """
    Raises `ConfigurationError` where a part of an archive is missing, is not a regular file, or does not match its
    checksum. Other archives than nerzoo's, and folders of trainings, have no checksums.
    """
    found = parts(folder)
    missing = [part.name for part in found if not part.exists()]
    if missing:
        raise _unreadable(archive, f"no {', '.join(missing)} in it")
    vocabulary = folder / "vocabulary"
    files = [part for part in found if part.name not in ("vocabulary", *_FOLDERS)] + list(vocabulary.glob("*"))
    files += [path for name in _FOLDERS for path in (folder / name).rglob("*") if not path.is_dir()]
    # Reading a pipe would block forever.
    others = [path for path in files if not path.is_file()]
    if others or not vocabulary.is_dir():
        other = (others or [vocabulary])[0].relative_to(folder)
        raise _unreadable(archive, f"{other} as something else than a file")
    checksums = folder / CHECKSUMS_NAME
    lines = checksums.read_text(encoding="utf-8", errors="replace").splitlines() if checksums.is_file() else []
    for line in lines:
        expected, _, name = line.partition("  ")
        part = folder / name
        # Nothing outside of the folder is read, whatever the line says.
        is_inside = part.is_file() and ".." not in part.parts and not Path(name).is_absolute()
        actual = digest(part) if is_inside else "no file"
        if actual != expected:
            raise ConfigurationError(
                f"{archive}: found {name[:100]!r} with the SHA-256 {actual[:12]}, expected {expected[:12]}, as in "
                f"{CHECKSUMS_NAME}: the archive is damaged; if you changed it on purpose, remove {CHECKSUMS_NAME}"
            )


def read_config(archive: Union[str, PathLike], folder: Path) -> Dict[str, Any]:
    """Reads the configuration in the folder of an archive as plain JSON. Raises `ConfigurationError`."""
    try:
        return read_json(folder / CONFIG_NAME)
    except UNREADABLE as error:
        raise _unreadable(archive, f"no configuration of a model ({error})") from None


def read_json(path: Path) -> Dict[str, Any]:
    """Returns the JSON object in a file. Raises one of `UNREADABLE` where there is none."""
    if not path.is_file():
        raise ValueError(f"no file {path.name}")
    with path.open("rb") as file:
        return parse_config(file, path.stat().st_size)


def parse_config(file: IO[bytes], size: int) -> Dict[str, Any]:
    """Returns the JSON object in a file of that size. Raises one of `UNREADABLE` where there is none."""
    if size > MAX_CONFIG:
        raise ValueError(f"{CONFIG_NAME} has {size} bytes, expected at most {MAX_CONFIG}, reading.MAX_CONFIG")
    # In small pieces: `_BoundedGzipFile` would take a large one for a header.
    config = json.loads(b"".join(iter(lambda: file.read(2**16), b"")))
    if not isinstance(config, dict):
        raise ValueError(f"{CONFIG_NAME} is not an object")
    return config


class _BoundedGzipFile(gzip.GzipFile):
    """Caps header reads: tarfile trusts the sizes that headers declare. It reads members in small pieces."""

    def read(self, size: Optional[int] = -1) -> bytes:
        if size is None or not 0 <= size <= MAX_HEADER:
            raise tarfile.ReadError(f"a header of {size} bytes, expected at most {MAX_HEADER}, reading.MAX_HEADER")
        return super().read(size)


@contextmanager
def opened(path: Path) -> Iterator[Tuple[tarfile.TarFile, Iterator[tarfile.TarInfo]]]:
    """
    Opens an archive, and yields the file with its members. Raises one of `UNREADABLE` where it is no gzipped tar file,
    and at the first member that is unsafe or beyond a limit, before it is read.
    """
    given = os.environ.get(VARIABLE)
    limit = int(given) if given else max(MAX_UNPACKED, MAX_RATIO * os.path.getsize(path))
    with _BoundedGzipFile(path) as unzipped, tarfile.open(fileobj=unzipped, mode="r:") as file:
        yield file, _safe_members(file, limit)


def _safe_members(file: tarfile.TarFile, limit: int) -> Iterator[tarfile.TarInfo]:
    names: Set[Path] = set()
    unpacked = 0
    for member in file:
        name = f"the member {member.name[:100]!r}"
        path = Path(member.name)
        if not (member.isreg() or member.isdir()):
            raise tarfile.ExtractError(f"{name}, which is neither a file nor a folder")
        if path.is_absolute() or ".." in path.parts:
            raise tarfile.ExtractError(f"{name}, which is outside of the archive")
        if path in names:
            raise tarfile.ExtractError(f"{name} twice")
        names.add(path)
        unpacked += member.size
        if len(names) > MAX_MEMBERS:
            raise tarfile.ExtractError(f"more than {MAX_MEMBERS} members, reading.MAX_MEMBERS")
        if unpacked > limit:
            expected = f"expected at most {limit}, which {VARIABLE} may change"
            raise tarfile.ExtractError(f"{name}, with which it unpacks to {unpacked} bytes, {expected}")
        yield member


def unpack(archive: Union[str, PathLike], folder: Path) -> None:
    """
    Unpacks, copies or, of an exported tagger, restores an archive into a folder. Raises `ConfigurationError` where it
    is missing or damaged.
    """
    path = find(archive)
    if is_exported(path):
        restore(path, folder, SAFETENSORS_NAME)
        return
    if not path.is_dir():
        _extract(archive, path, folder)
        check_folder(archive, folder)
        return
    check_folder(archive, path)
    for part in parts(path):
        if part.is_dir():
            shutil.copytree(part, folder / part.name)
        else:
            shutil.copy(part, folder)


@contextmanager
def unpacked(archive: Union[str, PathLike]) -> Iterator[Path]:
    """Unpacks an archive as `unpack` does, into a folder that is removed after the block."""
    with tempfile.TemporaryDirectory() as folder:
        unpack(archive, Path(folder))
        yield Path(folder)


@contextmanager
def extracted_archive(resolved_archive_file: Union[str, PathLike], cleanup: bool = True) -> Iterator[str]:
    """Unpacks an archive as `allennlp.models.archival.extracted_archive` does, with the bounds of `opened`."""
    with ExitStack() as stack:
        folder = tempfile.mkdtemp()
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        _extract(resolved_archive_file, Path(resolved_archive_file), Path(folder))
        unpacked_archives[folder] = str(resolved_archive_file)
        if not cleanup:
            stack.pop_all()
        yield folder


def _extract(archive: Union[str, PathLike], path: Path, folder: Path) -> None:
    try:
        with opened(path) as (file, members):
            for member in members:
                file.extract(member, folder, filter="data")
    except UNREADABLE as error:
        raise _unreadable(archive, f"an archive that cannot be read ({error})") from error


def _unreadable(archive: Union[str, PathLike], found: str) -> ConfigurationError:
    return ConfigurationError(f"{archive}: found {found}, expected {_EXPECTED}")


def weights_path(folder: Union[str, PathLike]) -> Path:
    """Returns the path of the weights in the folder of an archive or of a training."""
    path = Path(folder, SAFETENSORS_NAME)
    return path if path.exists() else Path(archival.get_weights_path(folder))


def read_checked_weights(path: Union[str, PathLike], *args: Any, **kwargs: Any) -> Dict[str, torch.Tensor]:
    """
    Reads weights as `allennlp.nn.util.read_state_dict` does, or, where they are missing, the `SAFETENSORS_NAME` of a
    published model. Raises `ConfigurationError` where the file cannot be read, has tensors larger than their data, or
    NaN.
    """
    path = Path(path)
    beside = path.with_name(SAFETENSORS_NAME)
    if not path.exists() and beside.exists():
        path = beside
    try:
        # torch.save does not compress, but torch.load would unpack a compressed file.
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                size = sum(member.file_size for member in archive.infolist())
            if size > os.path.getsize(path):
                raise ConfigurationError(f"{path}: found weights of {size} bytes, expected at most those of the file")
        file: Any = path
        if path.suffix == ".safetensors":
            # AllenNLP's function reads files of torch, and then ignores and renames tensors as its arguments say.
            file = io.BytesIO()
            torch.save(without_quantized(safetensors().load_file(path)), file)
            file.seek(0)
        weights = _read_state_dict(file, *args, **kwargs)
    except ConfigurationError:
        raise
    # torch.load and safetensors raise many types for damaged files.
    except Exception as error:
        line = next(iter(str(error).strip().splitlines()), type(error).__name__)
        raise ConfigurationError(f"{path}: found weights that cannot be read ({line[:300]})") from error
    for name, tensor in weights.items():
        # A view may stand for any number of copies of a few numbers.
        if tensor.numel() * tensor.element_size() > tensor.untyped_storage().nbytes() or tensor.is_complex():
            raise ConfigurationError(f"{path}: found the weights {name} as a view or complex, expected a plain tensor")
        if tensor.is_floating_point() and tensor.isnan().any():
            raise ConfigurationError(f"{path}: found NaN in the weights {name}, expected numbers")
    return weights


def safetensors() -> ModuleType:
    """Returns `safetensors.torch`. Raises `ConfigurationError` where the extra that installs it is missing."""
    with extra("hub", ", which has the weights of published models"):
        import safetensors.torch
    return safetensors.torch
