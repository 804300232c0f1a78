// Attending to characters with the paper's settings, named entities; paper/ has its other corpora and columns.
// Paper: Rei, Crichton and Pyysalo, "Attending to Characters in Neural Sequence Labeling Models" (2016), and the
// authors' program as published then.
// Data: CoNLL-2003, English (Reuters), eng.train and eng.testa in the folder that the environment variable CONLL2003
// names.
// Word vectors: word2vec's of Google News, 300 dimensions, as text, in the file that WORD2VEC names.
// Differs from the paper in the LSTMs, which have no peepholes; in sentences and words, which have no marks at their
// ends; and in the tags, which are BIO (IOB1 in the paper). The CRF decodes only well-formed tag sequences, the
// authors' CRF any. As in the paper, a word that occurs once in the training data is unknown, even if the file has its
// vector.
// Expected: test F1 84.09 (concat 83.37, word 79.86); not measured here, because the data is not free.
(import 'base.libsonnet') + (import '../lib/seed.libsonnet') {
  task:: 'ner',
  word_vectors:: std.extVar('WORD2VEC'),
  epochs:: 20,
  corpus:: { type: 'columns', coding_scheme: 'IOB1' },
  train_data_path: std.extVar('CONLL2003') + '/eng.train',
  validation_data_path: std.extVar('CONLL2003') + '/eng.testa',

  // AdaDelta's steps depend on the size of losses: the authors' losses are sums.
  optimizer:: { type: 'adadelta', lr: 1.0, rho: 0.95, eps: 1e-6 },
  model+: { loss_reduction: 'sum' },
}
