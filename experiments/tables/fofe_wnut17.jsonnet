// FOFE-NER on WNUT-17: docs/results/fofe_ner.md.
// Minutes of one core that a run takes, 30 epochs: FOFE-NER 12 to 24; taggers 8 to 18.
{
  config: 'training_config/fofe_ner/wnut17/%s.jsonnet',
  rows: { [row]: {} for row in self.order },
  order: ['all', 'lexical', 'boundaries', 'encoded', 'bilstm_crf', 'bilstm_crf_lexical'],
  seeds: 3,
  environment: { WORD_VECTORS: 'output/glove.corpora.txt' },
  evaluations: {
    test: { data: 'wnut17/emerging.test.annotated' },
    test_tuned: { data: 'wnut17/emerging.test.annotated', thresholds: 'wnut17/emerging.dev.conll' },
  },
  metric: 'f1',
  reference: 'bilstm_crf_lexical',
}
