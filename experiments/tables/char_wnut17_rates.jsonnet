// Learning rates for the rows of char_wnut17_tuned, which have 0.002, so that each has three trials:
// docs/results/learning_rates.md.
local table = import 'char_wnut17_tuned.jsonnet';

(import '../rates_table.libsonnet')(
  { [row]: { config: table.config % row } for row in std.objectFields(table.rows) },
  [0.001, 0.004],
  { rate: 0.002, table: 'char_wnut17_tuned' }
) {
  environment: table.environment,
  evaluations: table.evaluations,
  metric: 'f1',
}
