// Chapters of LitBank: docs/results/memory_ner.md.
(import 'memory_redocred.jsonnet') {
  config: 'training_config/memory_ner/litbank/%s.jsonnet',
  evaluations: { test: { data: 'litbank/test.jsonl.gz' } },
}
