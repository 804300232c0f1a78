// Attending to characters on free data. Word vectors are learned from words that occur twice.
(import 'base.libsonnet') + (import '../lib/seed.libsonnet') {
  word_size:: 100,
  character_embedding_size:: 25,
  character_hidden_size:: 50,
  hidden_size:: 100,
  input_dropout:: 0.3,
  dropout:: 0.3,
  batch_size:: 32,
  patience:: null,  // on small data F1 stays zero for some epochs
  optimizer:: { type: 'fused_adam', lr: 4e-3 },
  trainer+: { grad_norm: 5.0 },
}
