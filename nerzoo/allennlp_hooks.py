"""
The attributes of AllenNLP 2.10.1 that nerzoo replaces when it is imported. Nothing else of AllenNLP or of another
package is changed, which `tests/allennlp_hooks_test.py` checks.
"""

import functools
from contextlib import nullcontext
from importlib.util import find_spec
from pkgutil import resolve_name
from typing import Any, Dict, List, NamedTuple, Optional, Set

from allennlp.common import FromParams, Params, util
from allennlp.common.checks import ConfigurationError

from nerzoo.archives.loading import ArchivedParams
from nerzoo.archives.packing import archive_model_whole
from nerzoo.archives.reading import extracted_archive, read_checked_weights
from nerzoo.archives.trust import resolve_registered_name
from nerzoo.files import written_whole
from nerzoo.training.train_model import train_model_from_file


class Hook(NamedTuple):
    """
    An attribute that is replaced, the reason why neither a registered class, a subclass of a command nor an argument
    reaches that place, and the consequence `without` it.
    """

    name: str
    replacement: Any
    reason: str
    without: str


_from_params = FromParams.from_params
_import_module_and_submodules = util.import_module_and_submodules
_dump_metrics = util.dump_metrics


def _from_params_with_place(cls: Any, params: Any, *args: Any, **extras: Any) -> Any:
    try:
        return _from_params.__func__(cls, params, *args, **extras)  # type: ignore[attr-defined]
    except Exception as error:
        place = params.history.rstrip(".") if isinstance(params, Params) else ""
        # Only the innermost object adds its place in the configuration.
        if place and not isinstance(error, ConfigurationError) and not hasattr(error, "__notes__"):
            error.add_note(f"{place}: {cls.__name__}(...) raised {type(error).__name__}")
        raise


def _import_once(package_name: str, exclude: Optional[Set[str]] = None) -> None:
    # Importing nerzoo imports those of its modules that register something.
    if not package_name.startswith("nerzoo.") or find_spec(package_name) is None:
        _import_module_and_submodules(package_name, exclude)


@functools.wraps(_dump_metrics)
def _dump_metrics_whole(file_path: Optional[str], metrics: Dict[str, Any], log: bool = False) -> None:
    with written_whole(file_path) if file_path else nullcontext() as unfinished:
        _dump_metrics(str(unfinished) if file_path else None, metrics, log)


HOOKS: List[Hook] = [
    Hook(
        "allennlp.models.archival.extracted_archive",
        extracted_archive,
        reason="load_archive calls the function by its name.",
        without="An archive is unpacked with links, devices and any number of bytes.",
    ),
    Hook(
        "allennlp.models.archival.Params",
        ArchivedParams,
        reason="load_archive reads the configuration by the name of this class.",
        without="The configuration of an archive is evaluated as Jsonnet, which reads files and the environment; "
        "all files and classes that it names are read and built.",
    ),
    Hook(
        "allennlp.nn.util.read_state_dict",
        read_checked_weights,
        reason="Model.load calls the function by its name.",
        without="Weights that are compressed to a millionth, or NaN, are loaded; safetensors are not.",
    ),
    Hook(
        "allennlp.common.registrable.Registrable.resolve_class_name",
        classmethod(resolve_registered_name),
        reason="Each from_params calls it, also long after an archive was loaded.",
        without="A type with a dot in it is imported and called, even if it comes from an archive.",
    ),
    Hook(
        "allennlp.common.from_params.FromParams.from_params",
        classmethod(_from_params_with_place),
        reason="It calls the constructors.",
        without="An error in a constructor does not name the part of the configuration.",
    ),
    Hook(
        "allennlp.commands.train.train_model_from_file",
        train_model_from_file,
        reason="The command `allennlp train` is there before nerzoo is imported.",
        without="A misspelled option is found when the data has been read, and shown as a traceback.",
    ),
    Hook(
        "allennlp.commands.train.archive_model",
        archive_model_whole,
        reason="Training calls the function by its name, at its end.",
        without="Archives are written in place, without checksums, and compressed, which saves little.",
    ),
    Hook(
        "allennlp.common.util.dump_metrics",
        _dump_metrics_whole,
        reason="The trainer calls the function by its name, within its loop over epochs.",
        without="A run that is killed leaves metrics that are cut off.",
    ),
    Hook(
        "allennlp.common.util.import_module_and_submodules",
        _import_once,
        reason="`--include-package` calls the function by its name.",
        without="All modules of nerzoo are imported, even those that need extras, and commands start a second later.",
    ),
    Hook(
        "allennlp.training.trainer.Trainer.default_implementation",
        "resumable",
        reason="A trainer without a type in the configuration is this class.",
        without="An interrupted run does not continue with the same numbers.",
    ),
    Hook(
        "allennlp.training.checkpointer.Checkpointer.default_implementation",
        "atomic",
        reason="A checkpointer without a type in the configuration is this class.",
        without="Checkpoints may be cut off.",
    ),
]


def install() -> None:
    """Replaces the attributes."""
    for hook in HOOKS:
        owner, _, attribute = hook.name.rpartition(".")
        setattr(resolve_name(owner), attribute, hook.replacement)
