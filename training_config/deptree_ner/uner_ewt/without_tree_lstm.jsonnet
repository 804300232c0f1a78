// UNER-EWT: the full model without its Tree-LSTM.
// Measured: predicted_trees f1 76.9, 1 seed, 12 minutes.
(import '../free_data.libsonnet').uner_ewt + (import '../rows.libsonnet').blstm_ra_ga
