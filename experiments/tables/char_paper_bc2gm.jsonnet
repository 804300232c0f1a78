// The settings of the paper on attending to characters, as they are, on BC2GM: docs/results/char_attention_biomedical.md, which has
// the command for the vectors.
{
  corpus:: 'bc2gm',
  config: 'training_config/char_attention/paper/%s.jsonnet',
  rows: { [row]: {} for row in self.order },
  order: [$.corpus, $.corpus + '_concat'],
  seeds: 1,
  environment: { BIOMEDICAL_WORD2VEC: 'output/biomedical.200d.txt' },
  evaluations: { test: { data: 'bc2gm/test.tsv.gz' } },
  metric: 'f1',
  reference: $.corpus + '_concat',
}
