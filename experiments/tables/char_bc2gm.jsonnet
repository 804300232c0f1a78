// Attending to characters on BC2GM, genes in sentences of abstracts: docs/results/char_attention.md.
{
  config: 'training_config/char_attention/bc2gm/%s.jsonnet',
  rows: { [row]: {} for row in self.order },
  order: ['word', 'concat', 'attention'],
  seeds: 1,
  environment: { WORD_VECTORS: 'output/glove.corpora.txt' },
  evaluations: { test: { data: 'bc2gm/test.tsv.gz' } },
  metric: 'f1',
  reference: 'attention',
}
