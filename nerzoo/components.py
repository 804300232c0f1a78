"""All of nerzoo, imported, which registers its components with AllenNLP."""

import warnings

from nerzoo.deferred_imports import deferred_imports

# fairscale, which AllenNLP imports, uses torch.cuda.amp by its old name.
warnings.filterwarnings("ignore", category=FutureWarning, module="fairscale.experimental.nn.offload")

with deferred_imports():
    import nerzoo.allennlp_archives
    import nerzoo.allennlp_files
    import nerzoo.commands
    import nerzoo.compatibility
    import nerzoo.configuration_errors
    import nerzoo.vector_errors  # noqa: F401
    from nerzoo.command_errors import report_without_traceback
    from nerzoo.tagging.tagger import Tagger as Tagger

report_without_traceback()
