// FOFE-NER on GUM, nested: docs/results/fofe_nested.md.
// The F1 of development data is, for taggers, that of the outermost entities; that of the test part is of all.
// Minutes of one core that a run takes: FOFE-NER 17 (20 epochs), taggers up to 15.
{
  config: 'training_config/fofe_ner/gum/%s.jsonnet',
  rows: { [row]: { seeds: if std.member(['boundaries', 'encoded_minilm'], row) then 1 else 3 } for row in self.order },
  order: ['nested', 'boundaries', 'encoded', 'encoded_minilm', 'bilstm_crf', 'bilstm_crf_lexical'],
  seeds: 3,
  environment: { WORD_VECTORS: 'output/glove.corpora.txt' } + import '../minilm.libsonnet',
  evaluations: {
    test: { data: 'gum/test.conllu.gz' },
    test_tuned: { data: 'gum/test.conllu.gz', thresholds: 'gum/dev.conllu.gz' },
  },
  metric: 'f1',
  columns: ['f1'],
  gold: 'nested',
  reference: 'nested',
}
