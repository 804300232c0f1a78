"""
How AllenNLP 2.10.1 loads an archive, for its own commands too: importing this module has the archive unpacked, its
configuration read and what that names checked by `nerzoo.archives`. Each part names the line of AllenNLP that forces
it.
"""

import os
import shutil
import tarfile
import tempfile
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any, Dict, Iterator, Optional, Type, Union

from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.models import Model, archival
from allennlp.nn import util

# Replaces the function that is replaced below, too.
import nerzoo.compatibility.weights  # noqa: F401
from nerzoo.archives.configuration import loaded_configuration
from nerzoo.archives.unpacking import extract
from nerzoo.archives.weights import checked_weights
from nerzoo.errors import in_short

# What cached_path and others unpack with `extractall` has no links to elsewhere and no devices either; Python does so
# by itself from 3.14 on.
tarfile.TarFile.extraction_filter = staticmethod(tarfile.data_filter)


_cached_path = archival.cached_path


def _cached_archive(url_or_filename: Union[str, PathLike], *args: Any, **kwargs: Any) -> str:
    try:
        return _cached_path(url_or_filename, *args, **kwargs)
    # Errors of files, of connections and of the hub, and addresses that are none.
    except (OSError, ValueError) as error:
        raise ConfigurationError(
            f"{url_or_filename}: found nothing there ({in_short(error)}), expected an archive"
        ) from None


# models/archival.py, load_archive: `resolved_archive_file = cached_path(archive_file)`.
archival.cached_path = _cached_archive


_unpacked: Dict[str, str] = {}
"""The archives of the folders that they were unpacked into, for errors."""


@contextmanager
def _extracted_archive(resolved_archive_file: Union[str, PathLike], cleanup: bool = True) -> Iterator[str]:
    folder = tempfile.mkdtemp()
    try:
        extract(resolved_archive_file, Path(resolved_archive_file), Path(folder))
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    _unpacked[folder] = str(resolved_archive_file)
    try:
        yield folder
    finally:
        if cleanup:
            shutil.rmtree(folder, ignore_errors=True)


# models/archival.py, extracted_archive: `archive.extractall(tempdir)`.
archival.extracted_archive = _extracted_archive


class _ArchivedParams(Params):
    @classmethod
    def from_file(
        cls,
        params_file: Union[str, PathLike],
        params_overrides: Union[str, Dict[str, Any]] = "",
        ext_vars: Optional[dict] = None,
    ) -> Params:
        folder = os.path.dirname(params_file)
        return Params(loaded_configuration(Path(folder), params_overrides, _unpacked.pop(folder, folder)))


# models/archival.py, load_archive: `config = Params.from_file(...)`, which evaluates Jsonnet: it reads files and the
# environment, and runs as long as it likes.
archival.Params = _ArchivedParams  # type: ignore[misc]


# nn/util.py, read_state_dict: torch.load has an exception for each of the places where a file may be damaged, unpacks
# what is compressed, of any size, and numbers may be none.
util.read_state_dict = checked_weights(util.read_state_dict)


_load = Model.load


def _load_or_say_why_not(
    cls: Type[Model],
    config: Params,
    serialization_dir: Union[str, PathLike],
    weights_file: Optional[Union[str, PathLike]] = None,
    cuda_device: int = -1,
) -> Model:
    try:
        return _load.__func__(cls, config, serialization_dir, weights_file, cuda_device)  # type: ignore[attr-defined]
    except ConfigurationError:
        raise
    # Whatever a constructor, torch or AllenNLP says of values, and of weights and vocabulary of another model.
    except Exception as error:
        raise ConfigurationError(f"found an archive that cannot be loaded ({in_short(error)})") from error


# models/model.py, Model._load: `raise RuntimeError("Error loading state dict for ...")`, with a traceback.
Model.load = classmethod(_load_or_say_why_not)  # type: ignore[assignment, method-assign]
