// Learning rates of the rows of char_wnut17_tuned.
local table = import 'char_wnut17_tuned.jsonnet';

(import '../three_rates.libsonnet')('char_wnut17_tuned', table, std.objectFields(table.rows), 0.002)
