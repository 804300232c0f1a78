"""Files that a command writes whole or not at all."""

import errno
import json
import os
import secrets
import shutil
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any, Iterable, Iterator, Optional, Type, TypeVar, Union

from allennlp.common.checks import ConfigurationError

_T = TypeVar("_T")

UNFINISHED = ".*.unfinished"
"""The names of what was being written into a folder when the machine broke down."""
_NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def is_special(path: Union[str, PathLike]) -> bool:
    """Returns whether what is at a path is neither a file nor a folder: a pipe, a terminal, the null device."""
    return os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path))


def check_is_new(path: Union[str, PathLike]) -> None:
    """Raises `ConfigurationError` where there is something at the path of an output, or nothing can be there."""
    if os.path.lexists(path):
        raise ConfigurationError(f"{path}: found an output that exists, expected the path of a new one")
    check_place(path)


def check_place(path: Union[str, PathLike]) -> None:
    """Raises `ConfigurationError` where an output can have no folder: a file is in its place. One may be made."""
    above = next(folder for folder in Path(path).absolute().parents if os.path.lexists(folder))
    if not os.fspath(path) or not above.is_dir():
        found = f"the file {above}" if os.fspath(path) else "no path"
        raise ConfigurationError(f"{path}: found {found}, expected the path of an output in a folder")


def check_is_no_input(path: Union[str, PathLike], inputs: Iterable[Union[str, PathLike]]) -> None:
    """
    Raises `ConfigurationError` where the file or folder at the path of an output is an input, which would be lost. What
    is neither, such as a terminal, loses nothing.
    """
    if os.path.exists(path) and not is_special(path):
        for other in filter(os.path.exists, inputs):
            if os.path.samefile(path, other):
                raise ConfigurationError(f"{path}: found an input, expected the path of another file as the output")


def check_links(folder: Union[str, PathLike]) -> None:
    """
    Raises `ConfigurationError` where a link in the folder of an output, perhaps that of a stranger, leads out of it:
    what it names would be written.
    """
    inside = Path(folder).resolve()
    for path in inside.rglob("*"):
        if path.is_symlink() and not path.resolve().is_relative_to(inside):
            raise ConfigurationError(f"{path}: found a link to {os.readlink(path)}, expected none out of the folder")


@contextmanager
def written_whole(path: Union[str, PathLike]) -> Iterator[Path]:
    """
    Yields a path beside the one to write, where there is nothing yet. At the end of the block what is there, a file or,
    where there was nothing before, a folder, takes the place of that one in one step, when the disk has all of it;
    where the block fails it is removed, and what was there stays as it was.

    The name is one that nobody else uses. A link stays a link: what it names is replaced. What is no file, such as a
    pipe, a terminal or the null device, is written itself.

    # Raises

    `ConfigurationError` where the path is that of a folder, or in none. `OSError` with the path where the disk is full
    or the file too large, in place of the error that a library such as `torch.save` raises after it.
    """
    target = Path(path)
    # /dev/stdout may be a file that a shell has open, and would not see replaced.
    if target.parts[:2] in (("/", "dev"), ("/", "proc")) or is_special(target):
        yield target
        return
    if target.is_dir() or not target.absolute().parent.is_dir():
        found = "a folder" if target.is_dir() else "no folder for it"
        raise ConfigurationError(f"{path}: found {found}, expected the path of a file in a folder that exists")
    target = target.resolve()
    unfinished = _beside(target)
    with _discarded_on_failure(unfinished, target):
        yield unfinished
        if target.exists():
            shutil.copymode(target, unfinished)
        _sync(unfinished)
        os.replace(unfinished, target)
        _sync_entry(target.parent)


@contextmanager
def folder_written_whole(path: Union[str, PathLike]) -> Iterator[Path]:
    """
    Yields the path of a new folder beside the one to write, which takes its place at the end of the block: in one step
    where that one is new or empty, and else file by file. Where the block fails it is removed. Raises the errors that
    `written_whole` raises.
    """
    check_place(path)
    target = Path(path).resolve()
    unfinished = _beside(target)
    with _discarded_on_failure(unfinished, target):
        unfinished.mkdir(parents=True)
        yield unfinished
        _sync(unfinished)
        if target.is_dir() and any(target.iterdir()):
            for file in unfinished.iterdir():
                os.replace(file, target / file.name)
            _sync_entry(target)
            unfinished.rmdir()
        else:
            os.replace(unfinished, target)
        _sync_entry(target.parent)


def remove_unfinished(folder: Union[str, PathLike]) -> None:
    """Removes what a process that was killed left unfinished in a folder that no other one writes to."""
    for path in Path(folder).glob(UNFINISHED):
        _discard(path)


def write_json(path: Path, value: Any) -> None:
    """Writes a value as JSON, all or nothing, so that a file that exists is whole."""
    write_text(path, json_text(value))


def read_run_file(path: Path, kind: Type[_T]) -> _T:
    """
    Reads a JSON file in the folder of a training run. Raises `ConfigurationError` where it is cut off or damaged, or
    its value is not of the kind `dict` or `list` that is asked for.
    """
    remedy = f"remove the folder {path.parent} to train anew"
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(
            f"{path}: found JSON that is cut off ({error}), expected all of it; {remedy}"
        ) from None
    if not isinstance(value, kind):
        found = f"a {type(value).__name__}, expected a {kind.__name__}"
        raise ConfigurationError(f"{path}: found {found}; {remedy}")
    return value


def json_text(value: Any) -> str:
    """Returns a value as JSON, in lines."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def write_text(path: Path, text: str) -> None:
    """Writes text, all or nothing, so that a file that exists is whole."""
    with written_whole(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8")


@contextmanager
def _discarded_on_failure(unfinished: Path, target: Path) -> Iterator[None]:
    """Removes the unfinished output where the block fails. The error of a full disk gets the path of the target."""
    try:
        yield
    except BaseException as error:
        _discard(unfinished)
        full = _disk_full(error) if isinstance(error, Exception) else None
        if full is None:
            raise
        full.filename = str(target)
        raise full from None


def _disk_full(error: Optional[BaseException]) -> Optional[OSError]:
    """Returns the first error of a full disk, or of a file that is too large, in a chain of errors."""
    while error is not None and not (isinstance(error, OSError) and error.errno in _NO_SPACE):
        error = error.__context__
    return error


def _beside(path: Path) -> Path:
    # Names have at most 255 bytes, and a letter at most 4.
    return path.with_name(f".{path.name[:50]}.{secrets.token_hex(4)}.unfinished")


def _sync(path: Path) -> None:
    """Waits until the disk has a file, or a folder with its files."""
    for file in path.rglob("*") if path.is_dir() else ():
        _sync_entry(file)
    _sync_entry(path)


def _sync_entry(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _discard(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
