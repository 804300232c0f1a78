// Threads of free corpora: the paper's sizes, and the best epoch by the joint F1 of a validation fold or file. 25
// epochs without a better one are more than those of frozen transitions. A word that training has once is unknown; acts of
// other parts or folds are known, and never learned. Of the learning rates 0.001 and 0.01 the latter has the better joint F1
// on Molweni's validation folds.
(import 'base.libsonnet') + (import 'validated.libsonnet') {
  corpus:: error 'corpus:: is missing',
  patience:: 25,
  learning_rate:: 0.01,

  dataset_reader+: { corpus: $.corpus },
  vocabulary: { min_count: { tokens: 2 } },
  trainer+: { patience: $.patience },
}
