// FOFE-NER on LitBank, nested: docs/results/fofe_nested.md. F1 as in fofe_gum.jsonnet.
(import 'fofe_gum.jsonnet') {
  config: 'training_config/fofe_ner/litbank/%s.jsonnet',
  order: ['nested', 'encoded', 'bilstm_crf', 'bilstm_crf_lexical'],
  environment: { WORD_VECTORS: 'output/glove.100d.txt' },
  evaluations: {
    test: { data: 'litbank/test.jsonl.gz' },
    test_tuned: { data: 'litbank/test.jsonl.gz', thresholds: 'litbank/dev.jsonl.gz' },
  },
}
