// FOFE-NER on free data, which is small beside the thesis's: Adam, since SGD would have few updates (rows.sgd has it). The
// vocabulary is that of the training part, in which a word with a capital that is not known is told from one without.
(import 'base.libsonnet') + (import '../lib/seed.libsonnet') {
  optimizer:: 'dense_sparse_adam',
  learning_rate:: 2e-3,
  character_size:: 32,
  word_size:: 100,
  word_min_count:: 2,
  cased_unknown:: true,
  zero_digits:: true,
  batch_size:: 16,
}
