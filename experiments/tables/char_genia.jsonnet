// Attending to characters on GENIA, parts of speech: docs/results/char_attention.md.
// An epoch takes 132 s of a core, with words alone 33: 13 minutes a run, and 4.
{
  config: 'training_config/char_attention/genia/%s.jsonnet',
  rows: { [row]: {} for row in self.order },
  order: ['word', 'concat', 'attention', 'no_auxiliary'],
  seeds: 1,
  environment: { WORD_VECTORS: 'output/glove.corpora.txt' },
  evaluations: { test: { data: 'genia/genia-pos.test.tsv.gz' } },
  metric: 'accuracy',
  reference: 'attention',
}
