// A table of rows with several learning rates each, of which `experiments.tabulate` prints the table `rates`, too. If the
// rows have one more rate in another table, `trained` is { rate, table }, and its records count as theirs.
function(rows, rates, trained=null) {
  rows: {
    ['%s-%g' % [row, rate]]: rows[row] { overrides+: { 'trainer.optimizer.lr': rate } }
    for row in std.objectFields(rows)
    for rate in rates
  },
  rates: rates,
  [if trained != null then 'trained']: trained,
  seeds: 1,
}
