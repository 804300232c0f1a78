// Learning rates for rows of uner_ewt, which have 0.002, so that each has three trials: docs/results/learning_rates.md.
local table = import 'uner_ewt.jsonnet';

(import '../rates_table.libsonnet')(
  { [row]: { config: table.config % row } for row in ['full', 'bilstm_as_large', 'plain_bilstm'] },
  [0.001, 0.004],
  { rate: 0.002, table: 'uner_ewt' }
) {
  environment: table.environment,
  evaluations: table.evaluations,
  metric: 'f1',
}
