// Not from the paper: the query of the global attention has the final states of both directions of the BiLSTM. The
// paper has h_n, the state of the last word.
(import '../paper.jsonnet') { query:: 'final' }
