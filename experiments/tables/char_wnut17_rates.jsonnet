// A pilot of char_wnut17_tuned.jsonnet: other learning rates than its 0.002, by F1 on the development data.
local table = import 'char_wnut17_tuned.jsonnet';

{
  rows: {
    ['%s-%g' % [row, rate]]: { config: table.config % row, overrides: { 'trainer.optimizer.lr': rate } }
    for row in std.objectFields(table.rows)
    for rate in [0.001, 0.004]
  },
  seeds: 1,
  environment: table.environment,
  evaluations: { development: { data: 'wnut17/emerging.dev.conll', predict: false } },
  metric: 'f1',
}
