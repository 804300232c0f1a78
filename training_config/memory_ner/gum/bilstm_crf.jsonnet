// GUM: the baseline, a BiLSTM over each sentence and a CRF.
(import 'base.libsonnet') { reads:: 'sentences', encoder:: { type: 'bilstm' } }
