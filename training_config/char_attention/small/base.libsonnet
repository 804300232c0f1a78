// Attending to characters, small, for the fixtures in the repository.
// Paper: Rei, Crichton and Pyysalo, "Attending to Characters in Neural Sequence Labeling Models" (2016).
// Differs from the paper in size, word vectors, which are learned, dropout and the optimiser, Adam.
(import '../base.libsonnet') {
  word_vector_size:: 48,
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
