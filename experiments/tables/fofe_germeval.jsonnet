// FOFE-NER on GermEval, nested: docs/results/fofe_nested.md.
// The F1 of development data is, for taggers, that of the outermost entities; that of the test part is of all.
// Minutes of one core that a run takes: FOFE-NER 50 (15 epochs), taggers up to 40.
{
  config: 'training_config/fofe_ner/germeval/%s.jsonnet',
  rows: { nested: {}, bilstm_crf: {} },
  order: ['nested', 'bilstm_crf'],
  seeds: 1,
  environment: { WORD_VECTORS: '' },  // none are German: taggers learn theirs, too
  evaluations: {
    test: { data: 'germeval2014/germ.test.iob2.gz' },
    test_tuned: { data: 'germeval2014/germ.test.iob2.gz', thresholds: 'germeval2014/germ.dev.iob2.gz' },
  },
  metric: 'f1',
  columns: ['f1'],
  gold: 'nested',
  reference: 'nested',
}
