// GUM: the full model without its relative attention.
// Measured: not trained.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').no_relative
