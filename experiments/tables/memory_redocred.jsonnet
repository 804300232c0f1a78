// Documents of Re-DocRED: docs/results/memory_ner.md.
(import 'memory_gum.jsonnet') {
  config: 'training_config/memory_ner/redocred/%s.jsonnet',
  evaluations: { test: { data: 'redocred/test.jsonl.gz' } },
}
