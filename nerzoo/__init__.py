"""
Published sequence-labelling systems as AllenNLP components. Importing this package and AllenNLP, in any order,
registers all of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from nerzoo.registration import register
from nerzoo.version import __version__ as __version__

register()

if TYPE_CHECKING:
    from nerzoo.inference.tagger import Tagger as Tagger
else:

    def __getattr__(name: str) -> Any:
        # `from nerzoo import runtime` asks for an attribute, too.
        if not name.startswith("_") and name not in ("errors", "runtime", "text"):
            components = import_module("nerzoo.components")
            if name == "Tagger":
                return components.Tagger
            if name in globals():
                return globals()[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
