// GUM: the full model without its global attention.
// Measured: not trained.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').no_global
