// Chemicals: CHEMDNER, one word and its tag (BIO) per line, train.tsv and devel.tsv in the folder that the environment
// variable CHEMDNER names. Published test F1: 84.53 (concat 83.56, word 79.74).
(import '../paper.jsonnet') + (import 'biomedical.libsonnet') {
  corpus:: { type: 'columns' },
  train_data_path: std.extVar('CHEMDNER') + '/train.tsv',
  validation_data_path: std.extVar('CHEMDNER') + '/devel.tsv',
}
