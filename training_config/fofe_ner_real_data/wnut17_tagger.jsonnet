// WNUT-17: a BiLSTM-CRF with the same vectors of words in lower case, and lexical features.
(import '../lib/memory_ner_real_data.libsonnet') {
  reads:: 'sentences',
  encoder:: { type: 'bilstm' },
  corpus:: { type: 'columns' },
  train_data_path: '../shared/data/wnut17/wnut17train.conll',
  validation_data_path: '../shared/data/wnut17/emerging.dev.conll',
}
