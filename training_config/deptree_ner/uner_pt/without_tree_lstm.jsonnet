// UNER, Portuguese: the full model without its Tree-LSTM.
// Measured: not trained.
(import '../free_data.libsonnet').uner_pt + (import '../rows.libsonnet').blstm_ra_ga
