// FOFE-NER on free data, which is small compared with the thesis's: Adam, because SGD would have few updates (rows.sgd
// has SGD). The vocabulary comes from the training data; unknown words with and without a capital are two unknown
// words.
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
