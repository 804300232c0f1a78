// Learning rates of the rows of uner_seq2biseq.
local table = import 'uner_seq2biseq.jsonnet';

(import '../three_rates.libsonnet')('uner_seq2biseq', table, table.order, 0.001)
