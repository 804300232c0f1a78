// GUM: the full model with the global attention outside the residual connection and the normalisation, a_i h_i of
// equation 3 without changes. Under equation 4 its weights almost cancel.
(import 'base.libsonnet') { residual:: ['semantic', 'syntactic', 'relative_attention'] }
