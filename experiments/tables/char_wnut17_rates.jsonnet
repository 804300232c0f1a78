// A pilot of char_wnut17_tuned.jsonnet: other learning rates than its 0.002, by F1 on the development data.
local tuned = import 'char_wnut17_tuned.jsonnet';

(import '../rates_table.libsonnet')(
  { [row]: { config: tuned.config % row } for row in std.objectFields(tuned.rows) }, [0.001, 0.004]
) {
  environment: tuned.environment,
  evaluations: { development: { data: 'wnut17/emerging.dev.conll', predict: false } },
  metric: 'f1',
}
