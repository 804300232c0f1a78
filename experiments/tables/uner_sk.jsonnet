// Dependency-aware NER on Slovak with gold trees: docs/results/deptree_ner_languages.md.
(import 'uner_ewt.jsonnet') {
  config: 'training_config/deptree_ner/uner_sk/%s.jsonnet',
  seeds: 3,
  environment: {},
  evaluations: { test: { data: 'uner_other/sk/test.conllu.gz' } },
}
