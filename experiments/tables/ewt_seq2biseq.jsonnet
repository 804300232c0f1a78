// Seq2Biseq on the English Web Treebank: docs/results/seq2biseq.md.
// A run takes 8 to 18 minutes of a core, those of a seed 1.8 hours.
local compared = ['seq2biseq_le', 'forward_only', 'two_optimizers', 'bigru_crf'];
local rows = [
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
];

{
  config: 'training_config/seq2biseq/ud_english_ewt/%s.jsonnet',
  rows: { [row]: if std.member(compared, row) then {} else { seeds: 1 } for row in rows },
  order: rows,
  seeds: 3,
  environment: { WORD_VECTORS: 'output/glove.corpora.txt' },  // for the rows with _glove
  evaluations: { test: { data: 'ud_english_ewt/en_ewt-ud-test.conllu.gz' } },
  metric: 'accuracy',
  reference: 'seq2biseq_le',
}
