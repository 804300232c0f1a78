// Threads of free corpora: the paper's sizes, and the best epoch by the joint F1 of a validation fold or file, after the
// thaw if transitions are frozen. A word that occurs once in the training data is unknown; acts of other parts or folds
// are known, but never learned. The learning rate is 0.01, which has a better joint F1 on Molweni's validation folds
// than 0.001.
local data = import '../lib/data.libsonnet';

local shared = (import 'base.libsonnet') + (import '../lib/seed.libsonnet') {
  corpus:: error 'corpus:: is missing',  // the format of the data, an object with a type
  word_vectors:: null,  // a file of fixed vectors of word_vector_size:: numbers; null: vectors are learned
  patience:: 25,  // training ends after so many epochs without a better one; null: after the last
  learning_rate:: 0.01,
  validation_metric:: '+joint_f1',

  local file = self.word_vectors,
  word_embedders+:: if file == null then {} else { tokens+: { type: 'fixed_embedding', pretrained_file: file } },
  dataset_reader+: { corpus: $.corpus },
  vocabulary: { min_count: { tokens: 2 } } + if file == null then {} else {
    pretrained_files: { tokens: file },
    min_pretrained_embeddings: { tokens: -1 },
  },
  trainer+: { patience: $.patience },
};

{
  // Links are discourse relations between utterances, and dialogue acts are their types. There are folds, one of them
  // for validation; dialogues that share utterances are in the same fold.
  molweni: shared + data.molweni,
  // The logs of Kummerfeld et al. (2019), in threads of 100 messages with the 100 messages before them as context, and
  // with the authors' split. Links have one act, and links to the head another one, so that a CRF can find little.
  // Threads are longer than the paper's, so that batches have fewer; there are more threads, so that there are fewer
  // epochs.
  irc: shared + data.irc { batch_size:: 4, epochs:: 15 },
}
