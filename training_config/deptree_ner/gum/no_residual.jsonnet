// GUM: the full model without residual connections and normalisation.
// Measured: not trained.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').no_residual
