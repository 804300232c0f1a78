// Five types of biomedical entities: JNLPBA, one word and its tag (BIO) per line, train.tsv and devel.tsv in the folder
// that the environment variable JNLPBA names. Published test F1: 72.70 (concat 72.24, word 70.75).
(import '../paper.jsonnet') + (import 'biomedical.libsonnet') {
  corpus:: { type: 'columns' },
  train_data_path: std.extVar('JNLPBA') + '/train.tsv',
  validation_data_path: std.extVar('JNLPBA') + '/devel.tsv',
}
