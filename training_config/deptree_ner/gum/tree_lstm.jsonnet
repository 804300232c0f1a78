// GUM: the full model without its BiLSTM.
// Measured: not trained.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').tlstm_ra_ga
