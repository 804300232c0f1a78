// Chapters of LitBank: docs/results/memory_ner.md.
(import 'memory_redocred.jsonnet') {
  config: 'training_config/memory_ner/litbank/%s.jsonnet',
  rows: { bilstm_crf: {}, hops_0: { seeds: 1 }, hops_1: {}, sentence_memory: { seeds: 1 } },
  evaluations: { test: { data: 'litbank/test.jsonl.gz' } },
}
