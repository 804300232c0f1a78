// WNUT-17: a BiLSTM-CRF with the same vectors of words in lower case, and lexical features.
(import '../../memory_ner/free_data.libsonnet') + (import '../../lib/data.libsonnet').wnut17 {
  reads:: 'sentences',
  encoder:: { type: 'bilstm' },
}
