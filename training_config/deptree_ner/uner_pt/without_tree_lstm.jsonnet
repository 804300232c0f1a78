// UNER, Portuguese: the full model without its Tree-LSTM.
// Measured: test f1 80.0 ± 0.7, 3 seeds, 3 minutes.
(import '../free_data.libsonnet').uner_pt + (import '../rows.libsonnet').blstm_ra_ga
