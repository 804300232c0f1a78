// Documents of Wikigold: docs/results/memory_ner.md.
(import 'memory_gum.jsonnet') {
  config: 'training_config/memory_ner/wikigold/%s.jsonnet',
  environment: { WORD_VECTORS: 'output/glove.corpora.txt' },
  evaluations:: {},
  folds: 5,
}
