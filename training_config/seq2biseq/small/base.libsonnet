// Seq2Biseq, small, for the fixtures in the repository.
(import '../base.libsonnet') {
  word_vector_size:: 32,
  word_min_count:: 1,
  label_size:: 16,
  character_size:: 16,
  character_hidden_size:: 24,
  hidden_size:: 32,
  dropout:: 0.3,
  batch_size:: 8,
  optimizer:: { type: 'adam', lr: 5e-3 },
  weight_decay:: 1e-6,
}
