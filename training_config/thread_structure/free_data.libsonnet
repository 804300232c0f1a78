// Threads of free corpora: the paper's sizes, and the best epoch by the joint F1 of a validation fold or file. 25
// epochs without a better one are more than those of frozen transitions. A word that training has once is unknown.
(import 'base.libsonnet') + (import 'validated.libsonnet') {
  corpus:: error 'corpus:: is missing',
  patience:: 25,

  dataset_reader+: { corpus: $.corpus },
  vocabulary: { min_count: { tokens: 2 } },
  trainer+: { patience: $.patience },
}
