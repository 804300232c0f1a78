// Table 2, Stacked Layers, TLSTM: stacked Tree-LSTM layers.
// Published dev F1: CoNLL 2003 91.22, SemEval 2010 85.01, ON 5.0 BN 88.08.
(import '../paper.jsonnet') { semantic_layers:: 0, residual:: false, relative:: false, global:: false }
