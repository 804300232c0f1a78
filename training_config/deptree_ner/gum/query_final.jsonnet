// GUM: the full model with the final states of both directions in the query of the global attention.
// Measured: not trained.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').query_final
