// UNER-EWT: the full model without its Tree-LSTM.
// Measured: predicted_trees f1 76.8 ± 0.5, 3 seeds, 8 minutes.
(import '../free_data.libsonnet').uner_ewt + (import '../rows.libsonnet').blstm_ra_ga
