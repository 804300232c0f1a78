// What initial embeddings and rate suit Seq2Biseq on SNIPS, by development data: docs/results/seq2biseq.md.
// A run takes 15 minutes of a core.
local row(overrides) = { config: 'training_config/seq2biseq/snips/seq2biseq_le.jsonnet', overrides: overrides };
local xavier = { 'model.initializer': null };
local fast = { 'trainer.optimizer.lr': 3e-3 };

{
  config: '%s',
  rows: { normal: row({}), normal_fast: row(fast), xavier: row(xavier), xavier_fast: row(xavier + fast) },
  seeds: 1,
  evaluations: { development: { data: 'snips/goo2018/valid' } },
  metric: 'f1',
  reference: 'normal',
}
