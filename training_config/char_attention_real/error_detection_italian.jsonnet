// MERLIN: errors of learners of Italian.
local data = '../shared/data/error_detection/it_merlin_';

(import '../lib/char_attention_real.libsonnet') {
  task:: 'error_detection',
  batch_size:: 16,
  epochs:: 14,
  corpus:: { type: 'columns', scheme: null, separator: '\t' },  // one word has a space
  train_data_path: data + 'train.tsv.gz',
  validation_data_path: data + 'dev.tsv',
}
