// UNER-EWT: the full model without its Tree-LSTM.
// Measured: test f1 80.1 ± 0.3, 3 seeds, 8 minutes.
(import '../free_data.libsonnet').uner_ewt + (import '../rows.libsonnet').blstm_ra_ga
