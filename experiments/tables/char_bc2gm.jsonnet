// Attending to characters on BC2GM, genes in sentences of abstracts: docs/results/char_attention.md.
// An epoch takes 120 s of a core, with words alone 25: 60 minutes a run, and 12.
{
  config: 'training_config/char_attention/bc2gm/%s.jsonnet',
  rows: { word: {}, concat: {}, attention: {}, no_auxiliary: { seeds: 1 } },
  order: ['word', 'concat', 'attention', 'no_auxiliary'],
  seeds: 3,
  environment: { WORD_VECTORS: 'output/glove.corpora.txt' },
  evaluations: { test: { data: 'bc2gm/test.tsv.gz' } },
  metric: 'f1',
  reference: 'attention',
}
