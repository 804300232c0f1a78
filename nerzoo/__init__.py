"""Published sequence-labelling systems as AllenNLP components; importing this package registers all of them."""

import nerzoo.compatibility
import nerzoo.data.corpora
import nerzoo.data.dataset_readers
import nerzoo.models
import nerzoo.modules.seq2seq_encoders
import nerzoo.predictors
import nerzoo.training.callbacks
import nerzoo.training.learning_rate_schedulers
import nerzoo.training.metrics  # noqa: F401
