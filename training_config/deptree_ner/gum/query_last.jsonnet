// GUM: the full model with h_n, the state of the last word, in the query of the global attention, as in the paper.
(import 'base.libsonnet') { query:: 'last' }
