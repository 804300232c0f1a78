// Not the paper's: the full model with the global attention outside the residual connection and the normalisation, a_i h_i
// of equation 3 as it stands. Under equation 4 its weights all but cancel.
(import '../paper.jsonnet') { residual:: ['semantic', 'syntactic', 'relative_attention'] }
