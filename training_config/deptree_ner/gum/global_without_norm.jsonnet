// GUM: the full model with the global attention in a residual connection without normalisation, (1 + a_i) h_i. Under
// equation 4 its weights almost cancel.
(import 'base.libsonnet') { norm:: ['semantic', 'syntactic', 'relative_attention'] }
