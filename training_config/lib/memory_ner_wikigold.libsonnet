// Document NER on Wikigold, for `cross-validate`: five folds by document, of which each is the test data once.
(import 'memory_ner_real_data.libsonnet') {
  corpus:: { type: 'columns', scheme: 'IOB1' },
  train_data_path: '../shared/data/wikigold/wikigold.conll.txt',
}
