// FOFE-NER on Wikigold, five folds by document: docs/results/fofe_ner.md.
// Minutes of one core that a run takes, five folds of up to 30 epochs: FOFE-NER 120, taggers 35.
{
  config: 'training_config/fofe_ner/wikigold/%s.jsonnet',
  rows: { [row]: {} for row in self.order },
  order: ['lexical', 'boundaries', 'encoded', 'bilstm_crf_lexical'],
  seeds: 1,
  environment: { WORD_VECTORS: 'output/glove.corpora.txt' },
  folds: 5,
  metric: 'f1',
  reference: 'bilstm_crf_lexical',
}
