// Falko and MERLIN: errors of learners of German.
local data = '../shared/data/error_detection/de_falko-merlin_';

(import '../lib/char_attention_real.libsonnet') {
  task:: 'error_detection',
  epochs:: 4,
  corpus:: { type: 'columns', scheme: null },
  train_data_path: data + 'train.tsv.gz',
  validation_data_path: data + 'dev.tsv.gz',
}
