// The recipe of ner.jsonnet on Re-DocRED, with MiniLM, and taught by it: docs/results/ner.md. A run takes 45 minutes.
(import '../ner_table.libsonnet')('redocred', ['recipe', 'minilm_beside', 'distilled']) {
  seeds: 3,
  environment+: { WORD_VECTORS: 'output/glove.100d.txt' },
  evaluations: { test: { data: 'redocred/test.jsonl.gz' } },
}
