// Learning rates for the rows of uner_seq2biseq, which have 0.001, so that each has three trials:
// docs/results/learning_rates.md.
local table = import 'uner_seq2biseq.jsonnet';

(import '../rates_table.libsonnet')(
  { [row]: { config: table.config % row } for row in table.order },
  [0.0005, 0.002],
  { rate: 0.001, table: 'uner_seq2biseq' }
) {
  environment: table.environment,
  evaluations: table.evaluations,
  metric: 'f1',
}
