// Table 2, LSTM: one direction, tags by a softmax; hidden size of Huang et al. (2015).
// Published test F1: 83.7. It has the same words, features and training as the memory; the published model has its own.
(import '../paper.jsonnet') + (import '../rows.libsonnet').lstm
