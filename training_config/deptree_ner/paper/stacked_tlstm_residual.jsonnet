// Table 2, Stacked Layers, TLSTM†: stacked Tree-LSTM layers with residual connections.
// Published dev F1: CoNLL 2003 91.24, SemEval 2010 85.75, ON 5.0 BN 88.71.
(import '../paper.jsonnet') + (import '../rows.libsonnet').stacked_tlstm_residual
