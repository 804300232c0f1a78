// GUM: the full model without residual connections and normalisation.
// Measured: development_predicted_trees f1 48.7, 1 seed, 17 minutes, of an earlier configuration or evaluation.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').no_residual
