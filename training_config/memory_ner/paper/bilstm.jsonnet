// Table 2, Bi-LSTM: both directions, tags by a softmax; hidden size of Huang et al. (2015).
// Published test F1: 85.2. It has the same words, features and training as the memory; the published model has its own.
(import '../paper.jsonnet') + (import '../rows.libsonnet').bilstm
