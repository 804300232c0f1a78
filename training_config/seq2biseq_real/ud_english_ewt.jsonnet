// English Web Treebank: the language-specific parts of speech.
local data = '../shared/data/ud_english_ewt/en_ewt-ud-';

(import '../lib/seq2biseq_real.libsonnet') {
  task:: 'pos',
  length_of_segments:: 15,
  stride_of_segments:: 5,
  crf_hidden_size:: 183,
  epochs:: 3,
  corpus:: { type: 'conllu' },
  train_data_path: data + 'train.conllu.gz',
  validation_data_path: data + 'dev.conllu.gz',
}
