// WNUT-17: entities of six types in tweets and comments.
local data = '../shared/data/wnut17/';

(import '../lib/char_attention_real.libsonnet') {
  task:: 'ner',
  batch_size:: 16,
  epochs:: 16,
  corpus:: { type: 'columns' },
  train_data_path: data + 'wnut17train.conll',
  validation_data_path: data + 'emerging.dev.conll',
}
