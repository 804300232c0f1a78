// Table 2, LSTM-CRF: one direction, a CRF; hidden size of Huang et al. (2015).
// Published test F1: 88.4. It has the same words, features and training as the memory; the published model has its own.
(import '../paper.jsonnet') + (import '../rows.libsonnet').lstm_crf
