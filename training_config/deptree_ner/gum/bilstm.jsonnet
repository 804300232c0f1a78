// GUM: the full model without its Tree-LSTM.
// Measured: predicted_trees f1 50.9, 1 seed, 11 minutes, of an earlier configuration or evaluation.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').blstm_ra_ga
