// Table 2, Bi-LSTM-CRF: both directions, a CRF; hidden size of Huang et al. (2015).
// Published test F1: 88.8. It has the same words, features and training as the memory; the published model has its own.
(import '../paper.jsonnet') + (import '../rows.libsonnet').bilstm_crf
