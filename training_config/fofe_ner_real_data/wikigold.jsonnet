// FOFE-NER on Wikigold, for `cross-validate`. memory_ner_wikigold/bilstm_crf.jsonnet is the tagger to compare with.
// Expected: F1 56.5 +- 4.1 over five folds.
(import '../lib/fofe_ner_wikitext2.libsonnet') {
  batch_size:: 16,
  learning_rate:: 2e-3,
  epochs:: 20,
  corpus:: { type: 'columns', scheme: 'IOB1' },
  train_data_path: '../shared/data/wikigold/wikigold.conll.txt',
}
