// GUM: the full model without its relative attention.
// Measured: predicted_trees f1 49.3, 1 seed, 41 minutes, of an earlier configuration or evaluation.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').no_relative
