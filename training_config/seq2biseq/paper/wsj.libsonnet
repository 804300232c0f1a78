// Seq2Biseq with the paper's settings, parts of speech.
// Data: the Wall Street Journal (LDC), sections 0-18, 19-21 and 22-24, one word and its tag per line, in the folder
// that the environment variable WSJ names.
(import '../base.libsonnet') + (import '../../lib/seed.libsonnet') {
  task:: 'pos',
  corpus:: { type: 'columns', pos_column: 1, coding_scheme: null },
  train_data_path: std.extVar('WSJ') + '/train.txt',
  validation_data_path: std.extVar('WSJ') + '/dev.txt',

  word_vector_size:: 300,
  hidden_size:: 150,
  embedding_initializer:: { type: 'normal', std: 1.0 },  // N(0, 1), PyTorch's default
  // About as many parameters as seq2biseq_le.
  crf_hidden_size:: 266,
  epochs:: 52,
  // The paper gives no rate for Adam; its 0.125 is for SGD. The gradient of an L2 term would pull rare words to zero.
  optimizer:: { type: 'fused_adam', lr: 1e-3, decoupled_weight_decay: true },
}
