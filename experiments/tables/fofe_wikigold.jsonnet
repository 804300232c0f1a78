// FOFE-NER on Wikigold, five folds by document: docs/results/fofe_ner.md.
// Minutes of one core that a run takes, five folds of up to 30 epochs: FOFE-NER 25, taggers 10.
{
  config: 'training_config/fofe_ner/wikigold/%s.jsonnet',
  rows: {
    all: { seeds: 1 },
    lexical: {},
    tuned: { seeds: 1 },
    sgd: { seeds: 1 },
    bilstm_crf: { seeds: 1 },
    bilstm_crf_lexical: {},
  },
  order: ['all', 'lexical', 'tuned', 'sgd', 'bilstm_crf', 'bilstm_crf_lexical'],
  seeds: 3,
  environment: { WORD_VECTORS: 'output/glove.corpora.txt' },
  folds: 5,
  metric: 'f1',
  reference: 'bilstm_crf_lexical',
}
