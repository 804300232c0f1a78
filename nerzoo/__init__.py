"""
Published sequence-labelling systems as AllenNLP components. Importing this package and AllenNLP, in any order,
registers all of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from nerzoo.registration import INDEPENDENT, register
from nerzoo.version import __version__ as __version__

register()

if TYPE_CHECKING:
    from nerzoo.zoo.tagger import Tagger as Tagger
else:

    def __getattr__(name: str) -> Any:
        if name == "Tagger":
            return import_module("nerzoo.zoo.tagger").Tagger
        # `from nerzoo import runtime` asks for an attribute, too.
        if not name.startswith("_") and name not in INDEPENDENT:
            import_module("nerzoo.components")
            if name in globals():
                return globals()[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
