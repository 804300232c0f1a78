// Seq2Biseq on free data, small.
(import 'base.libsonnet') + (import '../lib/seed.libsonnet') {
  word_size:: 100,
  label_size:: 32,
  character_size:: 25,
  character_hidden_size:: 50,
  hidden_size:: 100,
  dropout:: 0.4,
  batch_size:: 32,
  optimizer:: { type: 'adam', lr: 3e-3 },
  weight_decay:: 1e-6,
}
