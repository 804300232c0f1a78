// Table 2, Bi-LSTM-CRF: both directions, a CRF; hidden size of Huang et al. (2015).
// Published test F1: 88.8. Same words, features and training as the memory, where the published one has its own.
(import '../paper.jsonnet') {
  reads:: 'sentences',
  encoder:: { type: 'bilstm' },
  hidden_size:: 300,
}
