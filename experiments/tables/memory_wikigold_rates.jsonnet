// Learning rates for rows of memory_wikigold, which have 0.02, so that each has three trials:
// docs/results/learning_rates.md.
local table = import 'memory_wikigold.jsonnet';

(import '../rates_table.libsonnet')(
  { [row]: { config: table.config % row } for row in ['hops_1', 'bilstm_crf'] },
  [0.01, 0.04],
  { rate: 0.02, table: 'memory_wikigold' }
) {
  environment: table.environment,
  folds: table.folds,
  metric: 'f1',
  by_document: true,
}
