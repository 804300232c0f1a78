// GUM: the full model with the global attention outside the residual connection and the normalisation.
// Measured: not trained.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').global_outside
