// GUM: the full model without its global attention.
// Measured: predicted_trees f1 49.2, 1 seed, 15 minutes, of an earlier configuration or evaluation.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').no_global
