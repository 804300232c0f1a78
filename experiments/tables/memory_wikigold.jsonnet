// Documents of Wikigold: docs/results/memory_ner.md.
(import 'memory_gum.jsonnet') {
  config: 'training_config/memory_ner/wikigold/%s.jsonnet',
  rows+: { bilstm_crf_minilm: { seeds: 1 }, hops_1_minilm: { seeds: 1 } },
  environment: { WORD_VECTORS: 'output/glove.corpora.txt' } + import '../minilm.libsonnet',
  evaluations:: {},
  folds: 5,
}
