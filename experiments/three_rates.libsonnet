// Rows of a table with half of their learning rate there, and with twice it: with the table, three trials each, whose
// rates are on docs/results/learning_rates.md. `name` is that of the table.
function(name, table, rows, rate)
  (import 'rates_table.libsonnet')(
    { [row]: { config: table.config % row } for row in rows }, [rate / 2, 2 * rate], { rate: rate, table: name }
  ) + {
    [field]: table[field]
    for field in ['environment', 'evaluations', 'folds', 'metric', 'by_document']
    if std.objectHas(table, field)
  }
