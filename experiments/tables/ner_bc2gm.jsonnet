// The recipe of ner.jsonnet, and what it would be otherwise: docs/results/ner.md.
(import '../ner_table.libsonnet')('bc2gm') { evaluations: { test: { data: 'bc2gm/test.tsv.gz' } } }
