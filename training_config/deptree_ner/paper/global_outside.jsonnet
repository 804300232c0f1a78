// Not from the paper: the full model with the global attention outside the residual connection and the normalisation.
(import '../paper.jsonnet') + (import '../rows.libsonnet').global_outside
