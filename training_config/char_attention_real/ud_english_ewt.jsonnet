// English Web Treebank: the language-specific parts of speech.
local data = '../shared/data/ud_english_ewt/en_ewt-ud-';

(import '../lib/char_attention_real.libsonnet') {
  task:: 'pos',
  epochs:: 10,
  corpus:: { type: 'conllu' },
  train_data_path: data + 'train.conllu.gz',
  validation_data_path: data + 'dev.conllu.gz',
}
