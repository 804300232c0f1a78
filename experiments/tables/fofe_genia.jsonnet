// FOFE-NER on GENIA, nested: docs/results/fofe_nested.md.
// The F1 of development data is, for taggers, that of the outermost entities; that of the test part is of all.
// Minutes of one core that a run takes: FOFE-NER 50 (15 epochs), taggers up to 45.
local test = {
  data: 'genia/GENIAcorpus3.02.xml.gz',
  overrides: { 'validation_dataset_reader.corpus.share': [0.9, 1.0] },
};

{
  config: 'training_config/fofe_ner/genia/%s.jsonnet',
  rows: { [row]: {} for row in self.order },
  order: ['nested', 'boundaries', 'encoded', 'bilstm_crf'],
  seeds: 1,
  environment: { WORD_VECTORS: 'output/glove.100d.txt' },  // of XML the short file has few words
  evaluations: { test: test, test_tuned: test { thresholds: 'genia/GENIAcorpus3.02.xml.gz' } },
  metric: 'f1',
  columns: ['f1'],
  gold: 'nested',
  reference: 'nested',
}
