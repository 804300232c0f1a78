// Not the paper's: the query of the global attention has the final states of both directions of the BiLSTM, where the paper
// has h_n, the state of the last word.
(import '../paper.jsonnet') { query:: 'final' }
