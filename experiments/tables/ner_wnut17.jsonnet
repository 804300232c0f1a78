// The recipe of ner.jsonnet, and what it would be otherwise: docs/results/ner.md.
(import '../ner_table.libsonnet')('wnut17') { evaluations: { test: { data: 'wnut17/emerging.test.annotated' } } }
