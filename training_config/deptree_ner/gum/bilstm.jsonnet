// GUM: the full model without its Tree-LSTM.
// Measured: not trained.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').blstm_ra_ga
