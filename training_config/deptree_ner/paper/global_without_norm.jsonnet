// Not from the paper: the full model with the global attention in a residual connection without normalisation.
(import '../paper.jsonnet') + (import '../rows.libsonnet').global_without_norm
