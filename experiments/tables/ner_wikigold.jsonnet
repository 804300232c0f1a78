// The recipe of ner.jsonnet, and what it would be otherwise: docs/results/ner_recipe.md. A run takes 8 minutes of a core.
(import '../ner_table.libsonnet')('wikigold', ['recipe', 'adam', 'tuned_vectors']) { folds: 5 }
