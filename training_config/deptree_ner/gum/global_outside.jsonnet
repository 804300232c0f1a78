// GUM: the full model with the global attention outside the residual connection and the normalisation.
(import 'base.libsonnet') + (import '../rows.libsonnet').global_outside
