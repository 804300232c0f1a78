// Seq2Biseq on UNER-EWT, names of three types: docs/results/seq2biseq.md.
// A run takes 8 minutes of a core.
{
  config: 'training_config/seq2biseq/uner_ewt/%s.jsonnet',
  rows: { [row]: {} for row in self.order },
  order: ['last_characters_glove', 'forward_only_last_characters_glove', 'bigru_crf_last_characters_glove'],
  seeds: 3,
  environment: { WORD_VECTORS: 'output/glove.corpora.txt' },
  evaluations: { test: { data: 'uner_ewt/test.conllu.gz' } },
  metric: 'f1',
  reference: 'last_characters_glove',
}
