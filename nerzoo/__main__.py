"""
The command `nerzoo`, or `python -m nerzoo`: all commands of `allennlp ... --include-package nerzoo`, ready in a third
of the time. nerzoo is imported first, so that libraries which few models use wait until they are used. Default plugins
of AllenNLP, which it imports for each command, are imported where `--include-package allennlp_models` or a file
`.allennlp_plugins` names them.
"""

import gc
import importlib
import os

from allennlp import commands
from allennlp.common.util import install_sigterm_handler

from nerzoo.compatibility.imports import import_declared_plugins_alone


def main() -> None:
    """Runs the command that `sys.argv` has."""
    os.environ.setdefault("ALLENNLP_LOG_LEVEL", "WARNING")
    # Sets the log up, when it is imported.
    importlib.import_module("allennlp.__main__")
    import_declared_plugins_alone()
    # What is imported stays to the end: neither while the command runs nor then is it worth looking through.
    gc.freeze()
    install_sigterm_handler()
    commands.main(prog="nerzoo")


if __name__ == "__main__":
    main()
