// What initial embeddings and rate suit Seq2Biseq on SNIPS, by development data: docs/results/seq2biseq.md.
local row(overrides) = { config: 'training_config/seq2biseq/snips/seq2biseq_le.jsonnet', overrides: overrides };
local xavier = { 'model.initializer': null };
local fast = { 'trainer.optimizer.lr': 3e-3 };

{
  config: '%s',
  rows: { normal: row({}), normal_fast: row(fast), xavier: row(xavier), xavier_fast: row(xavier + fast) },
  seeds: 1,
  metric: 'f1',
  reference: 'normal',
}
