// Learning rates of rows of uner_ewt.
local rows = ['full', 'bilstm_as_large', 'plain_bilstm'];

(import '../three_rates.libsonnet')('uner_ewt', import 'uner_ewt.jsonnet', rows, 0.002)
