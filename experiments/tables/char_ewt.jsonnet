// Attending to characters on English Web Treebank, parts of speech: docs/results/char_attention.md.
// An epoch takes 61 s of a core, with words alone 15: 12 minutes a run, and 3.
{
  config: 'training_config/char_attention/ud_english_ewt/%s.jsonnet',
  rows: { [row]: {} for row in self.order },
  order: ['word', 'concat', 'attention'],
  seeds: 1,
  environment: { WORD_VECTORS: 'output/glove.corpora.txt' },
  evaluations: { test: { data: 'ud_english_ewt/en_ewt-ud-test.conllu.gz' } },
  metric: 'accuracy',
  reference: 'attention',
}
