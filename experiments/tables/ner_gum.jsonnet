// The recipe of ner.jsonnet, and what it would be otherwise: docs/results/ner.md.
(import '../ner_table.libsonnet')('gum_proper_names') { evaluations: { test: { data: 'gum/test.conllu.gz' } } }
