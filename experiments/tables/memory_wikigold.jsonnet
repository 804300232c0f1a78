// Documents of Wikigold: docs/results/memory_ner.md.
(import 'memory_gum.jsonnet') {
  config: 'training_config/memory_ner/wikigold/%s.jsonnet',
  evaluations:: {},
  folds: 5,
}
