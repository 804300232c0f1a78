"""Imports all of nerzoo, which registers its components with AllenNLP."""

import warnings

from nerzoo.registration import deferred_imports

# fairscale, which AllenNLP imports, and AllenNLP's trainer use torch.cuda.amp by its old name.
for _module in ("fairscale.experimental.nn.offload", "allennlp.training.gradient_descent_trainer"):
    warnings.filterwarnings("ignore", category=FutureWarning, module=_module)

with deferred_imports():
    # All components, so that AllenNLP is the same whichever module of nerzoo is imported first.

    import nerzoo.allennlp_hooks
    import nerzoo.commands
    import nerzoo.data.dataset_readers
    import nerzoo.data.max_tokens_sampler
    import nerzoo.data.token_indexers
    import nerzoo.data.vocabulary
    import nerzoo.formats
    import nerzoo.inference.language_model
    import nerzoo.inference.ner
    import nerzoo.inference.tagger
    import nerzoo.inference.threads
    import nerzoo.models
    import nerzoo.modules.seq2seq_encoders
    import nerzoo.modules.seq2vec_encoders
    import nerzoo.modules.token_embedders
    import nerzoo.runs.folds
    import nerzoo.training.callbacks
    import nerzoo.training.evaluator
    import nerzoo.training.learning_rate_schedulers
    import nerzoo.training.metrics
    import nerzoo.training.optimizers
    import nerzoo.training.per_loss
    import nerzoo.training.resuming
    import nerzoo.training.trainer  # noqa: F401
    from nerzoo.errors import report_in_allennlp

nerzoo.allennlp_hooks.install()
report_in_allennlp()
