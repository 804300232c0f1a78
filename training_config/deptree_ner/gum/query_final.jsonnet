// GUM: the full model with the final states of both directions of the BiLSTM in the query of the global attention. The
// paper has h_n, the state of the last word.
(import 'base.libsonnet') { query:: 'final' }
