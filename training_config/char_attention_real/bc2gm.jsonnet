// BC2GM: genes in sentences of abstracts.
local data = '../shared/data/bc2gm/';

(import '../lib/char_attention_real.libsonnet') {
  task:: 'ner',
  epochs:: 4,
  corpus:: { type: 'columns' },
  train_data_path: data + 'train.tsv.gz',
  validation_data_path: data + 'devel.tsv.gz',
}
