// Threads of free corpora: the paper's sizes, and the best epoch by the joint F1 of a validation fold or file. The
// patience of 25 epochs is longer than the epochs of frozen transitions. A word that occurs once in the training data
// is unknown; acts of other parts or folds are known, but never learned. The learning rate is 0.01, which has a better
// joint F1 on Molweni's validation folds than 0.001.
(import 'base.libsonnet') + (import 'validated.libsonnet') {
  corpus:: error 'corpus:: is missing',  // the format of the data, an object with a type
  patience:: 25,  // training ends after so many epochs without a better one; null: after the last
  learning_rate:: 0.01,

  dataset_reader+: { corpus: $.corpus },
  vocabulary: { min_count: { tokens: 2 } },
  trainer+: { patience: $.patience },
}
