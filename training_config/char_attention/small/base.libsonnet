// Attending to characters, small, for the fixtures in the repository: learned word vectors, dropout, Adam.
(import '../base.libsonnet') {
  word_size:: 48,
  character_embedding_size:: 16,
  character_hidden_size:: 24,
  hidden_size:: 48,
  tagging_size:: 32,
  input_dropout:: 0.3,
  dropout:: 0.3,
  batch_size:: 16,
  epochs:: 30,
  optimizer:: { type: 'adam', lr: 5e-3 },
  trainer+: { grad_norm: 5.0 },
}
