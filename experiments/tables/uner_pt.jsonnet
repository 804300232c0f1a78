// Dependency-aware NER on Portuguese with gold trees: docs/results/deptree_ner_languages.md.
(import 'uner_ewt.jsonnet') {
  config: 'training_config/deptree_ner/uner_pt/%s.jsonnet',
  seeds: 3,
  environment: {},
  evaluations: { test: { data: 'uner_other/pt/test.conllu.gz' } },
}
