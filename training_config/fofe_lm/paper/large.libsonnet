// The FOFE language model with large vocabularies (sections 4.2.2 and 4.2.3 of the thesis): plain SGD with sparse
// gradients, no regularisation, and text that is not loaded into memory as a whole. The environment variables
// TRAIN_TEXT and VALIDATION_TEXT name files with one sentence per line.
(import '../base.libsonnet') + (import '../../lib/seed.libsonnet') {
  words_per_batch:: 500,
  learning_rate:: 0.1,
  momentum:: 0,
  weight_decay:: 0,
  sparse:: true,

  train_data_path: std.extVar('TRAIN_TEXT'),
  validation_data_path: std.extVar('VALIDATION_TEXT'),
  data_loader+: { max_instances_in_memory: 100000 },
}
