// Seq2Biseq with the paper's settings, spoken language understanding.
// Data: MEDIA (ELRA-S0272), a word, its class and its concept a line (hotel-parking-B, null), in the folder that the
// environment variable MEDIA names. Word classes are not read, as in the paper.
(import '../base.libsonnet') {
  task:: 'slots',
  corpus:: { type: 'columns', tag_notation: 'suffix' },
  train_data_path: std.extVar('MEDIA') + '/train.txt',
  validation_data_path: std.extVar('MEDIA') + '/dev.txt',

  segment_length:: 10,  // the paper's default
  // About as many parameters as seq2biseq_le.
  crf_hidden_size:: 581,
  epochs:: 40,
  optimizer:: { type: 'sgd', lr: 0.125, momentum: 0.9 },
}
