// Seq2Biseq on SNIPS: docs/results/seq2biseq.md.
// A run takes 7 to 24 minutes of a core.
{
  config: 'training_config/seq2biseq/snips/%s.jsonnet',
  rows: { [row]: { seeds: if std.member(['seq2biseq_le', 'bigru_crf'], row) then 3 else 1 } for row in self.order },
  order: [
    'seq2biseq_le',
    'forward_only',
    'segments',
    'two_optimizers',
    'one_optimizer_twice_the_rate',
    'one_optimizer_weighted',
    'scheduled_sampling',
    'bigru_crf',
    'seq2biseq_le_glove',
    'bigru_crf_glove',
    'last_characters_glove',
    'last_characters_minilm',
    'bigru_crf_last_characters_glove',
    'bigru_crf_last_characters_minilm',
  ],
  seeds: 3,
  // For the rows with _glove and _minilm.
  environment: { WORD_VECTORS: 'output/glove.corpora.txt' } + import '../minilm.libsonnet',
  evaluations: { test: { data: 'snips/goo2018/test' } },
  metric: 'f1',
  columns: ['accuracy', 'f1', 'cer'],
  reference: 'seq2biseq_le',
}
