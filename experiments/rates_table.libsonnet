// A table of rows with several learning rates each, of which `experiments.tabulate` prints the table `rates`, too.
function(rows, rates) {
  rows: {
    ['%s-%g' % [row, rate]]: rows[row] { overrides+: { 'trainer.optimizer.lr': rate } }
    for row in std.objectFields(rows)
    for rate in rates
  },
  rates: rates,
  seeds: 1,
}
