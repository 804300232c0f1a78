// The recipe of ner.jsonnet, and what it would be otherwise: docs/results/ner.md.
(import '../ner_table.libsonnet')('wikigold') { folds: 5 }
