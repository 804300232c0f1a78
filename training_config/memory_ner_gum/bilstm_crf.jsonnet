// GUM: the baseline, a BiLSTM over each sentence and a CRF.
(import '../lib/memory_ner_gum.libsonnet') { reads:: 'sentences', encoder:: { type: 'bilstm' } }
