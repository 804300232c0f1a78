// Attending to characters on BC2GM, genes in sentences of abstracts: docs/results/char_attention.md.
// Twelve epochs, so that a run takes 22 minutes of a core, with words alone 5: the configurations have 30, of smaller batches.
{
  config: 'training_config/char_attention/bc2gm/%s.jsonnet',
  rows: { [row]: {} for row in self.order },
  order: ['word', 'concat', 'attention'],
  seeds: 1,
  environment: { WORD_VECTORS: 'output/glove.corpora.txt' },
  overrides: { 'trainer.num_epochs': 12, 'trainer.patience': 4, 'data_loader.batch_sampler.batch_size': 32 },
  evaluations: { test: { data: 'bc2gm/test.tsv.gz' } },
  metric: 'f1',
  reference: 'attention',
}
