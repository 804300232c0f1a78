// The recipe of ner.jsonnet with and without MiniLM on Re-DocRED: docs/results/ner.md. A run takes half an hour.
(import '../ner_table.libsonnet')('redocred', ['recipe', 'minilm_beside']) {
  seeds: 3,
  environment+: { WORD_VECTORS: 'output/glove.100d.txt' },
  evaluations: { test: { data: 'redocred/test.jsonl.gz' } },
}
