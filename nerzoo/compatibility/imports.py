"""What AllenNLP imports for a command."""

import importlib
from importlib.util import find_spec
from typing import Optional, Set

from allennlp import commands
from allennlp.common import plugins, util
from allennlp.common.checks import ConfigurationError


class MissingModuleError(ConfigurationError, ModuleNotFoundError):
    """Says that there is no module of a name; it is a `ModuleNotFoundError`, too, which plugins may end in."""


_import_module_and_submodules = util.import_module_and_submodules


def _import_module_and_submodules_once(package_name: str, exclude: Optional[Set[str]] = None) -> None:
    # common/util.py, import_module_and_submodules: calls itself for each module of a package, and each time looks for a
    # library and forgets what is in the folders of the path, which takes a second for the modules of nerzoo. These
    # are imported with nerzoo, as far as they register anything.
    if package_name.startswith("nerzoo.") and find_spec(package_name) is not None:
        return
    try:
        _import_module_and_submodules(package_name, exclude)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{package_name}.".startswith(f"{error.name}."):
            raise
        found = f"{package_name}: found no module {error.name}"
        raise MissingModuleError(f"{found}, expected one in a folder where Python looks, such as this one") from None


# commands/__init__.py, main, has it by its name: `import_module_and_submodules(package_name)`.
for module in (util, commands):
    module.import_module_and_submodules = _import_module_and_submodules_once  # type: ignore[attr-defined]


def import_declared_plugins_alone() -> None:
    """
    Keeps AllenNLP's commands from importing all modules of allennlp and allennlp_models; plugins that a file
    `.allennlp_plugins` declares are imported. commands/__init__.py, parse_args: `import_plugins()`.
    """

    def import_plugins() -> None:
        for name in plugins.discover_plugins():
            importlib.import_module(name)

    commands.import_plugins = import_plugins
