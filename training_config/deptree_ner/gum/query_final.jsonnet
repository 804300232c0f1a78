// GUM: the full model with the final states of both directions in the query of the global attention.
// Measured: not trained.
(import 'base.libsonnet') + (import '../rows.libsonnet').query_final
