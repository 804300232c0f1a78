// Wikigold: the baseline, a BiLSTM over each sentence and a CRF.
(import '../lib/memory_ner_wikigold.libsonnet') { reads:: 'sentences', encoder:: { type: 'bilstm' } }
