// Chunks: CoNLL-2000 in the folder that the environment variable CONLL2000 names; dev.txt is a part taken from
// train.txt.
// Published test F1: 92.67 (concat 92.35, word 91.23).
(import '../paper.jsonnet') {
  task:: 'chunking',
  corpus:: { type: 'columns' },
  train_data_path: std.extVar('CONLL2000') + '/train.txt',
  validation_data_path: std.extVar('CONLL2000') + '/dev.txt',
}
