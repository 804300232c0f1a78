// Table 2, CONV-CRF: a window of five words, a CRF; hidden size of Collobert et al. (2011).
// Published test F1: 88.7. It has the same words, features and training as the memory; the published model has its own.
(import '../paper.jsonnet') + (import '../rows.libsonnet').conv_crf
