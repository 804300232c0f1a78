// Seq2Biseq on SNIPS: docs/results/seq2biseq.md.
// A run takes 7 to 22 minutes of a core, those of a seed 2.7 hours.
local compared = ['seq2biseq_le', 'forward_only', 'two_optimizers', 'bigru_crf'];
local rows = [
  'seq2biseq_le',
  'forward_only',
  'seq2biseq',
  'segments',
  'two_optimizers',
  'one_optimizer_twice_the_rate',
  'one_optimizer_weighted',
  'scheduled_sampling',
  'bigru_crf',
  'bigru_crf_same_encoder',
  'seq2biseq_le_glove',
  'bigru_crf_glove',
];

{
  config: 'training_config/seq2biseq/snips/%s.jsonnet',
  rows: { [row]: if std.member(compared, row) then {} else { seeds: 1 } for row in rows },
  order: rows,
  seeds: 3,
  environment: { WORD_VECTORS: 'output/glove.corpora.txt' },  // for the rows with _glove
  evaluations: { test: { data: 'snips/goo2018/test' } },
  metric: 'f1',
  columns: ['accuracy', 'f1', 'cer'],
  reference: 'seq2biseq_le',
}
