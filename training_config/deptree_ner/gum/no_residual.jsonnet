// GUM: the full model without residual connections and normalisation.
(import 'base.libsonnet') + (import '../rows.libsonnet').no_residual
