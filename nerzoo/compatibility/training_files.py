"""
The files of a training that AllenNLP 2.10.1 writes in place, so that a process that is killed, or a full disk, leaves
them cut off: importing this module has them written whole or not at all. Each part names the line of AllenNLP that
forces it.
"""

import functools
import os
from os import PathLike
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Union

from allennlp.commands import train
from allennlp.common import Params, util
from allennlp.common.meta import Meta
from allennlp.data import Vocabulary
from allennlp.evaluation import evaluator
from allennlp.training import util as training_util

from nerzoo.archives import ARCHIVE_NAME, pack_training
from nerzoo.files import UNFINISHED, check_links, folder_written_whole, remove_unfinished, written_whole


def _to_whole_file(to_file: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(to_file)
    def to_whole_file(self: Any, path: Union[str, PathLike], *args: Any, **kwargs: Any) -> None:
        with written_whole(path) as unfinished:
            to_file(self, str(unfinished), *args, **kwargs)

    return to_whole_file


# common/params.py, Params.to_file, and common/meta.py, Meta.to_file: `with open(..., "w")`.
Params.to_file = _to_whole_file(Params.to_file)  # type: ignore[method-assign]
Meta.to_file = _to_whole_file(Meta.to_file)  # type: ignore[method-assign]


_dump_metrics = util.dump_metrics


@functools.wraps(_dump_metrics)
def _dump_metrics_whole(file_path: Optional[str], metrics: Dict[str, Any], log: bool = False) -> None:
    if not file_path:
        _dump_metrics(file_path, metrics, log)
        return
    with written_whole(file_path) as unfinished:
        _dump_metrics(str(unfinished), metrics, log)


# common/util.py, dump_metrics: `with open(file_path, "w")`; the others have it by its name.
for module in (util, training_util, evaluator):
    module.dump_metrics = _dump_metrics_whole  # type: ignore[attr-defined]


_save_to_files = Vocabulary.save_to_files


@functools.wraps(_save_to_files)
def _save_to_whole_files(self: Vocabulary, directory: str) -> None:
    with folder_written_whole(directory) as unfinished:
        _save_to_files(self, str(unfinished))


# data/vocabulary.py, Vocabulary.save_to_files: `codecs.open(..., "w", "utf-8")`, one after the other.
Vocabulary.save_to_files = _save_to_whole_files  # type: ignore[method-assign]


def _archive_model_whole(
    serialization_dir: Union[str, PathLike],
    weights: str = "best.th",
    archive_path: Union[None, str, PathLike] = None,
    include_in_archive: Optional[List[str]] = None,
) -> str:
    folder = Path(serialization_dir)
    path = folder / ARCHIVE_NAME if archive_path is None else Path(archive_path)
    if path.is_dir():
        path = path / ARCHIVE_NAME
    with written_whole(path) as unfinished:
        pack_training(folder, folder / weights, unfinished, include_in_archive)
    return str(path)


# models/archival.py, archive_model: `with tarfile.open(archive_file, "w:gz")`, in place and without a checksum.
train.archive_model = _archive_model_whole


_create_serialization_dir = training_util.create_serialization_dir


@functools.wraps(_create_serialization_dir)
def _create_or_recover_serialization_dir(
    params: Params, serialization_dir: Union[str, PathLike], recover: bool, force: bool
) -> None:
    check_links(serialization_dir)
    found: List[str] = os.listdir(serialization_dir) if os.path.isdir(serialization_dir) else []
    # Of a run that was killed before its config.json was whole there is nothing more to recover, and nothing to lose.
    if found and all(name.endswith(UNFINISHED.removeprefix(".*")) and name.startswith(".") for name in found):
        remove_unfinished(serialization_dir)
        recover = False
    _create_serialization_dir(params, serialization_dir, recover, force)


# training/util.py, create_serialization_dir: `if os.path.exists(serialization_dir) and os.listdir(serialization_dir)`.
training_util.create_serialization_dir = _create_or_recover_serialization_dir
