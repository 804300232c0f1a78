// The gate against concatenation and words alone on WNUT-17, with vectors of words that are tuned, as in the paper:
// docs/results/char_attention.md. A run takes 17 minutes of a core, with words alone 4.
{
  config: 'training_config/char_attention/wnut17/%s.jsonnet',
  rows: { tuned: {}, tuned_concat: {}, tuned_word: {} },
  seeds: 5,
  environment: { WORD_VECTORS: 'output/glove.corpora.txt' },
  evaluations: { test: { data: 'wnut17/emerging.test.annotated' } },
  metric: 'f1',
  reference: 'tuned_concat',
}
