// Seq2Biseq with the paper's settings, spoken language understanding.
// Data: MEDIA (ELRA-S0272), one word with its class and its concept per line (hotel-parking-B, null), in the folder
// that the environment variable MEDIA names. Word classes are not read, as in the paper. Concepts that train.txt does
// not have are known from dev.txt and test.txt, but never learned.
(import '../base.libsonnet') + (import '../../lib/seed.libsonnet') {
  task:: 'slots',
  corpus:: { type: 'columns', tag_notation: 'suffix' },
  train_data_path: std.extVar('MEDIA') + '/train.txt',
  validation_data_path: std.extVar('MEDIA') + '/dev.txt',
  test_data_path: std.extVar('MEDIA') + '/test.txt',
  tags_of_all_parts:: true,
  sclite_weights:: true,

  segment_length:: 10,  // the paper's default
  embedding_initializer:: { type: 'normal', std: 1.0 },  // N(0, 1), PyTorch's default
  epochs:: 40,
  optimizer:: { type: 'sgd', lr: 0.125, momentum: 0.9 },
}
