// GUM: the full model without its BiLSTM.
// Measured: development_predicted_trees f1 51.4, 1 seed, 10 minutes, of an earlier configuration or evaluation.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').tlstm_ra_ga
