// Wikigold: the baseline, a BiLSTM over each sentence and a CRF, with a CNN over the characters of words.
(import 'bilstm_crf.jsonnet') + (import '../../lib/fixed_vectors.libsonnet')
