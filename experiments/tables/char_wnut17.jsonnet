// Attending to characters on WNUT-17, entities in tweets and comments: docs/results/char_attention.md.
// An epoch takes 27 s of a core, with words alone 7: 13 minutes a run, and 4.
{
  config: 'training_config/char_attention/wnut17/%s.jsonnet',
  rows: { [row]: {} for row in self.order },
  order: [
    'word',
    'concat',
    'attention',
    'no_auxiliary',
    'scalar_gate',
    'word_gate',
    'scalar_word_gate',
    'softmax',
    'word_minilm',
    'attention_minilm',
  ],
  seeds: 1,
  environment: { WORD_VECTORS: 'output/glove.corpora.txt' } + import '../minilm.libsonnet',
  evaluations: { test: { data: 'wnut17/emerging.test.annotated' } },
  metric: 'f1',
  reference: 'attention',
}
