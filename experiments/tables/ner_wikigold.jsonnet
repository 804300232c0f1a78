// The recipe of ner.jsonnet, and what it was before: docs/results/ner.md. A run takes 18 minutes of a core.
(import '../ner_table.libsonnet')('wikigold', ['recipe', 'adam']) { folds: 5 }
