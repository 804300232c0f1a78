// GENIA: parts of speech in abstracts.
local data = '../shared/data/genia/genia-pos.';

(import '../lib/char_attention_real.libsonnet') {
  task:: 'pos',
  epochs:: 3,
  corpus:: { type: 'columns', pos_column: 1, scheme: null },
  train_data_path: data + 'train.tsv.gz',
  validation_data_path: data + 'devel.tsv.gz',
}
