"""Files that a command writes whole or not at all, and JSON, which is parsed strictly where it is not trusted."""

import errno
import hashlib
import json
import os
import secrets
import shutil
from collections import Counter
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any, Collection, Dict, Iterable, Iterator, List, Optional, Tuple, Type, TypeVar, Union

from nerzoo.errors import configuration_error

_T = TypeVar("_T")

UNFINISHED = ".*.unfinished"
"""The pattern of the names of unfinished files, which stay in a folder when a process is killed."""
_NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def is_special(path: Union[str, PathLike]) -> bool:
    """Returns whether a path is neither a file nor a folder: a pipe, a terminal, the null device."""
    return os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path))


def check_is_new(path: Union[str, PathLike]) -> None:
    """Raises `ConfigurationError` where the path of an output exists, or cannot exist."""
    if os.path.lexists(path):
        raise configuration_error(f"{path}: found an output that exists, expected the path of a new one")
    _check_place(path)


def _check_place(path: Union[str, PathLike]) -> None:
    """Raises `ConfigurationError` where a file is in the place of a folder above an output."""
    above = next(folder for folder in Path(path).absolute().parents if os.path.lexists(folder))
    if not os.fspath(path) or not above.is_dir():
        found = f"the file {above}" if os.fspath(path) else "no path"
        raise configuration_error(f"{path}: found {found}, expected the path of an output in a folder")


def check_is_no_input(path: Union[str, PathLike], inputs: Iterable[Union[str, PathLike]]) -> None:
    """Raises `ConfigurationError` where writing an output would overwrite an input, or the folder that has one."""
    if os.path.exists(path) and not is_special(path):
        for other in filter(os.path.exists, inputs):
            if os.path.samefile(path, other):
                raise configuration_error(f"{path}: found an input, expected the path of another file as the output")
            # A link in the folder is lost, too, wherever its target is.
            above = {*Path(os.path.abspath(other)).parents, *Path(other).resolve().parents}
            if os.path.isdir(path) and any(os.path.samefile(path, each) for each in filter(os.path.exists, above)):
                found = f"the folder of the input {other}"
                raise configuration_error(f"{path}: found {found}, expected the path of another output")


def check_replaceable(path: Union[str, PathLike], endings: Collection[str] = ()) -> None:
    """
    Raises `ConfigurationError` where the path of an output has what its format does not write: a folder in place of a
    file, or, with the `endings` of the files that the format writes for each name, anything but a folder of these.
    """
    if os.path.isfile(path) if endings else os.path.isdir(path):
        found, expected = ("a file", "a folder") if endings else ("a folder", "a file")
        raise configuration_error(f"{path}: found {found}, expected the path of {expected}")
    for file in sorted(Path(path).rglob("*")):
        is_written = file.suffix in endings and all(file.with_suffix(ending).is_file() for ending in endings)
        if file.is_symlink() or not (file.is_dir() or is_written):
            expected = f"a folder of files NAME{' with NAME'.join(endings)} alone, which may be replaced"
            raise configuration_error(f"{path}: found {file.relative_to(path)} in it, expected {expected}")


def digest(path: Union[str, PathLike], leave_out: Optional[str] = None) -> str:
    """
    Returns the SHA-256 of a file, or one over the names and bytes of the files in a folder, in hexadecimal digits.
    Files in the folder whose paths begin with `leave_out` do not count.
    """
    whole, left_out = Path(path), os.path.realpath(leave_out) if leave_out is not None else None
    content = hashlib.sha256()
    for file in [whole] if whole.is_file() else sorted(filter(Path.is_file, whole.rglob("*"))):
        if file != whole:
            if left_out is not None and os.path.realpath(file).startswith(left_out):
                continue
            content.update(file.relative_to(whole).as_posix().encode())
        with file.open("rb") as opened:
            hashlib.file_digest(opened, lambda: content)
    return content.hexdigest()


def check_links(folder: Union[str, PathLike]) -> None:
    """Raises `ConfigurationError` where a link in the folder of an output leads out of it, and would be followed."""
    inside = Path(folder).resolve()
    for path in inside.rglob("*"):
        if path.is_symlink() and not path.resolve().is_relative_to(inside):
            raise configuration_error(f"{path}: found a link to {os.readlink(path)}, expected none out of the folder")


@contextmanager
def written_whole(path: Union[str, PathLike]) -> Iterator[Path]:
    """
    Yields a new path beside the one to write. At the end of the block its file, or its folder if there was nothing
    before, is synced and renamed to the path in one step. If the block fails, it is removed and the path is unchanged.

    The target of a link is replaced, not the link. A pipe, a terminal or the null device is written directly. Raises
    `ConfigurationError` where the path is that of a folder, or in none. `OSError` with the path where the disk is full
    or the file too large, in place of the error that a library such as `torch.save` raises after it.
    """
    target = Path(path)
    # /dev/stdout may be a file that a shell has opened: the shell would not see its replacement.
    if target.parts[:2] in (("/", "dev"), ("/", "proc")) or is_special(target):
        yield target
        return
    if target.is_dir() or not target.absolute().parent.is_dir():
        found = "a folder" if target.is_dir() else "no folder for it"
        raise configuration_error(f"{path}: found {found}, expected the path of a file in a folder that exists")
    target = target.resolve()
    with _unfinished(target) as unfinished:
        yield unfinished
        if target.exists():
            shutil.copymode(target, unfinished)
        _sync(*unfinished.rglob("*"), unfinished)
        os.replace(unfinished, target)
        _sync(target.parent)


@contextmanager
def folder_written_whole(path: Union[str, PathLike]) -> Iterator[Path]:
    """
    Yields a new folder beside the one to write, as `written_whole` does, with the same errors. It takes its place in
    one step where that one is new or empty, and else file by file.
    """
    _check_place(path)
    target = Path(path).resolve()
    with _unfinished(target) as unfinished:
        unfinished.mkdir(parents=True)
        yield unfinished
        _sync(*unfinished.rglob("*"), unfinished)
        if target.is_dir() and any(target.iterdir()):
            for file in unfinished.iterdir():
                os.replace(file, target / file.name)
            _sync(target)
            unfinished.rmdir()
        else:
            os.replace(unfinished, target)
        _sync(target.parent)


def remove_unfinished(folder: Union[str, PathLike]) -> None:
    """Removes the unfinished files of a killed process from a folder that no other process writes to."""
    for path in Path(folder).glob(UNFINISHED):
        _remove(path)


def write_text(path: Path, text: str) -> None:
    """Writes text, all or nothing."""
    with written_whole(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8")


def json_text(value: Any) -> str:
    """Returns a value as indented JSON."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def write_json(path: Path, value: Any) -> None:
    """Writes a value as JSON, all or nothing."""
    write_text(path, json_text(value))


def read_run_file(path: Path, kind: Type[_T]) -> _T:
    """Reads a JSON `dict` or `list` in the folder of a training. Raises `ConfigurationError` where it is damaged."""
    remedy = f"remove the folder {path.parent} to train anew"
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        found = f"found JSON that is cut off ({error})"
        raise configuration_error(f"{path}: {found}, expected all of it; {remedy}") from None
    if not isinstance(value, kind):
        found = f"a {type(value).__name__}, expected a {kind.__name__}"
        raise configuration_error(f"{path}: found {found}; {remedy}")
    return value


class JsonError(ValueError):
    """The error of a text that is not JSON, or that is refused: its message is what was found. `line` counts from 1."""

    def __init__(self, found: str, line: int = 1) -> None:
        super().__init__(found)
        self.line = line


def parse_json(text: str) -> Any:
    """
    Returns the value of a JSON text. Raises `JsonError` where it is not JSON, is nested deeper than Python's stack, or
    has an integer of more than 4,300 digits, NaN, an infinity, a key twice in an object, or half of a surrogate pair.
    """
    try:
        value = json.loads(text, object_pairs_hook=_distinct, parse_constant=_refuse_constant)
    except JsonError:
        raise
    except json.JSONDecodeError as error:
        raise JsonError(f"{error.msg} in column {error.colno}", error.lineno) from None
    except RecursionError:
        raise JsonError("JSON that is nested too deep") from None
    except ValueError:
        raise JsonError("an integer of more than 4300 digits") from None
    if "\\u" in text:
        check_surrogates(value)
    return value


def check_surrogates(value: Any) -> None:
    """Raises `JsonError` where a JSON value has a string with one half of a surrogate pair."""
    try:
        json.dumps(value, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError as error:
        raise JsonError(f"{error.object[error.start]!r}, one half of a surrogate pair") from None


def _refuse_constant(name: str) -> None:
    raise JsonError(f"{name}, which is no number of JSON")


def _distinct(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    obj = dict(pairs)
    if len(obj) < len(pairs):
        key = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise JsonError(f"the key {key!r} twice in an object")
    return obj


@contextmanager
def _unfinished(target: Path) -> Iterator[Path]:
    """Yields a new path beside a target. Removes it where the block fails, and names the target if the disk is full."""
    # Names have at most 255 bytes, and a character has at most 4.
    unfinished = target.with_name(f".{target.name[:50]}.{secrets.token_hex(4)}.unfinished")
    try:
        yield unfinished
    except BaseException as error:
        _remove(unfinished)
        full: Optional[BaseException] = error if isinstance(error, Exception) else None
        while full is not None and not (isinstance(full, OSError) and full.errno in _NO_SPACE):
            full = full.__context__
        if not isinstance(full, OSError):
            raise
        full.filename = str(target)
        raise full from None


def _sync(*paths: Path) -> None:
    """Waits until files, or the entries of folders, are on the disk."""
    for path in paths:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
