"""Published sequence-labelling systems as AllenNLP components; importing this package registers all of them."""

import nerzoo.commands
import nerzoo.compatibility
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
import nerzoo.training.learning_rate_schedulers
import nerzoo.training.metrics
import nerzoo.training.optimizers  # noqa: F401
from nerzoo.version import __version__ as __version__
