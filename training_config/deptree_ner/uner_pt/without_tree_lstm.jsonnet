// UNER, Portuguese: the full model without its Tree-LSTM.
// Measured: test f1 79.7, 1 seed, 4 minutes.
(import '../free_data.libsonnet').uner_pt + (import '../rows.libsonnet').blstm_ra_ga
