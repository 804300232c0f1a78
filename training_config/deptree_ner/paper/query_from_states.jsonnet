// Not from the paper: the query of the global attention is h_n and h_root, before their residual connection and norm.
(import '../paper.jsonnet') + (import '../rows.libsonnet').query_from_states
