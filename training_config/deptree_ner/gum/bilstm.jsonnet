// GUM: the full model without its Tree-LSTM.
(import 'base.libsonnet') + (import '../rows.libsonnet').blstm_ra_ga
