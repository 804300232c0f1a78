// GUM: the full model with the global attention in a residual connection without normalisation.
// Measured: not trained.
(import 'base.libsonnet') + (import '../rows.libsonnet').global_without_norm
