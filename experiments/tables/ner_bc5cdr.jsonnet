// The recipe of ner.jsonnet with and without MiniLM on BC5CDR: docs/results/ner.md. A run takes 30 minutes of a core.
(import '../ner_table.libsonnet')('bc5cdr', ['recipe', 'minilm_beside']) {
  seeds: 3,
  environment+: { WORD_VECTORS: 'output/glove.100d.txt' },
  evaluations: { test: { data: 'bc5cdr/test.txt.gz' } },
}
