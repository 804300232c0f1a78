"""All of nerzoo, imported, which registers its components with AllenNLP."""

import warnings

from nerzoo.deferred_imports import deferred_imports

# fairscale, which AllenNLP imports, uses torch.cuda.amp by its old name.
warnings.filterwarnings("ignore", category=FutureWarning, module="fairscale.experimental.nn.offload")

with deferred_imports():
    # First, since what follows has some of what it replaces by name.
    import nerzoo.compatibility  # isort: split

    import nerzoo.commands
    import nerzoo.cross_validation
    import nerzoo.data.corpora
    import nerzoo.data.dataset_readers
    import nerzoo.data.token_indexers
    import nerzoo.data.writers
    import nerzoo.models
    import nerzoo.modules.seq2seq_encoders
    import nerzoo.modules.seq2vec_encoders
    import nerzoo.modules.token_embedders
    import nerzoo.predictors
    import nerzoo.training.callbacks
    import nerzoo.training.checkpointers
    import nerzoo.training.learning_rate_schedulers
    import nerzoo.training.metrics
    import nerzoo.training.optimizers
    import nerzoo.training.trainers  # noqa: F401
    from nerzoo.command_errors import report_without_traceback
    from nerzoo.tagging.tagger import Tagger as Tagger

report_without_traceback()
