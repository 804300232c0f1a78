// UNER, Slovak: the full model without its Tree-LSTM.
// Measured: test f1 69.7 ± 1.5, 3 seeds, 1 minute.
(import '../free_data.libsonnet').uner_sk + (import '../rows.libsonnet').blstm_ra_ga
