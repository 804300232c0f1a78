// Table 2, Stacked Layers, TLSTM: stacked Tree-LSTM layers.
// Published dev F1: CoNLL 2003 91.22, SemEval 2010 85.01, ON 5.0 BN 88.08.
(import '../paper.jsonnet') + (import '../rows.libsonnet').stacked_tlstm
