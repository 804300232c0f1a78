// WNUT-17: a BiLSTM-CRF with the same vectors of words in lower case, and lexical features.
// Expected: F1 34.0 on dev, 25.0 on test.
(import '../../memory_ner/free_data.libsonnet') + (import '../../lib/data.libsonnet').wnut17 {
  reads:: 'sentences',
  encoder:: { type: 'bilstm' },
}
