// The recipe of ner.jsonnet, and what it would be otherwise: docs/results/ner.md. A run takes 10 minutes of a core.
(import '../ner_table.libsonnet')('wnut17', ['recipe', 'adam', 'tuned_vectors']) {
  evaluations: { test: { data: 'wnut17/emerging.test.annotated' } },
}
