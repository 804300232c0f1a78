// Not from the paper: the full model with the final states of both directions in the query of the global attention.
(import '../paper.jsonnet') + (import '../rows.libsonnet').query_final
