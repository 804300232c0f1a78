// FOFE-NER on LitBank, nested: docs/results/fofe_nested.md. F1 as in fofe_gum.jsonnet.
(import 'fofe_gum.jsonnet') {
  config: 'training_config/fofe_ner/litbank/%s.jsonnet',
  rows: { [row]: {} for row in self.order },
  order: ['nested', 'encoded', 'encoded_minilm', 'bilstm_crf', 'bilstm_crf_lexical'],
  seeds: 1,
  environment+: { WORD_VECTORS: 'output/glove.100d.txt' },
  evaluations: {
    test: { data: 'litbank/test.jsonl.gz' },
    test_tuned: { data: 'litbank/test.jsonl.gz', thresholds: 'litbank/dev.jsonl.gz' },
  },
  // Its features are those of encoded.
  reference: 'bilstm_crf_lexical',
}
